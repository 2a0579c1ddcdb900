import uPlot from './uplot.js';

const heightPx = 190;
const rowsOfTable = 15;

const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const dark = matchMedia('(prefers-color-scheme: dark)');

const clock = seconds => new Date(seconds * 1_000).toISOString().slice(11, 19);
const axis = {
  stroke: () => colour('--muted'),
  grid: { stroke: () => colour('--line'), width: 1 },
  ticks: { show: false },
};

/** A chart of the last minutes that follows its width and the colour scheme, with the same numbers as a table. */
export class LiveChart {
  #plot;
  #table;
  #series;

  /** @param series `{ label, colour, fill }` each; colours are names of CSS variables. */
  constructor(id, series) {
    const element = document.getElementById(id);
    this.#series = series;
    this.#table = document.querySelector(`[data-table="${id}"]`);
    const options = {
      width: element.clientWidth,
      height: heightPx,
      padding: [8, 28, 0, 0],
      cursor: { y: false },
      scales: { y: { range: (_, __, max) => [0, Math.max(1, max * 1.1)] } },
      axes: [
        { ...axis, values: (_, ticks) => ticks.map(clock), space: 80, size: 30 },
        { ...axis, size: 48 },
      ],
      series: [
        { label: 'UTC', value: (_, second) => (second === null ? '–' : clock(second)) },
        ...series.map(one => this.#line(one)),
      ],
    };
    this.#plot = new uPlot(options, [[], ...series.map(() => [])], element);
    new ResizeObserver(() => this.#plot.setSize({ width: element.clientWidth, height: heightPx })).observe(element);
    dark.addEventListener('change', () => this.#plot.redraw());
  }

  #line({ label, colour: name, fill }) {
    return {
      label,
      width: 2,
      stroke: () => colour(name),
      ...(fill && { fill: () => `${colour(name)}26` }),
      value: (_, value) => (value === null ? '–' : String(value)),
    };
  }

  /** @param seconds and a column of equal length for each series. */
  update(seconds, ...columns) {
    this.#plot.setData([seconds, ...columns]);
    if (this.#table.closest('details').open) this.#fillTable(seconds, columns);
  }

  #fillTable(seconds, columns) {
    const rows = seconds.slice(-rowsOfTable).map((second, index) => {
      const at = seconds.length - Math.min(rowsOfTable, seconds.length) + index;
      return [clock(second), ...columns.map(column => column[at] ?? '–')];
    });
    const table = document.createElement('table');
    const head = table.createTHead().insertRow();
    for (const label of ['UTC', ...this.#series.map(({ label }) => label)]) {
      const cell = document.createElement('th');
      cell.scope = 'col';
      cell.textContent = label;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const row of rows.toReversed()) {
      const line = body.insertRow();
      for (const value of row) line.insertCell().textContent = value;
    }
    this.#table.replaceChildren(table);
  }
}

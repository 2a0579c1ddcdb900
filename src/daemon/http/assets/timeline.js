import { drawTimeline, layoutOf, wholeHeight } from './timeline-drawing.js';

const zoomStep = 1.3;
const dragThresholdPx = 4;
/** Room behind the last event for what is still open, as a share of the axis. */
const openShare = 0.08;

/** The events of a lane, in order, each with the value that the axis gives it. */
function momentsOf(lane, axis) {
  const ends = lane.bars.flatMap(bar => [
    { sequence: bar.first, at: axis.start(bar) },
    ...(bar.last === undefined ? [] : [{ sequence: bar.last, at: axis.end(bar) }]),
  ]);
  const marks = lane.marks.map(mark => ({ sequence: mark.sequence, at: axis.mark(mark) }));
  return [...ends, ...marks].sort((a, b) => axis.index(a.sequence) - axis.index(b.sequence));
}

/** Where bars and marks stand: by the clock, or by the order of the events, where what took no time has room too. */
function axisOf(kind, indexes, range) {
  const index = sequence => indexes.get(sequence);
  return kind === 'time'
    ? { kind, index, start: bar => bar.fromMs, end: bar => bar.toMs ?? range.to, mark: mark => mark.atMs }
    : {
        kind,
        index,
        start: bar => index(bar.first),
        end: bar => (bar.last === undefined ? (bar.toMs === undefined ? range.to : index(bar.first)) : index(bar.last)),
        mark: mark => index(mark.sequence),
      };
}

function rangeOf(kind, lanes, indexes) {
  const open = lanes.some(({ bars }) => bars.some(({ toMs }) => toMs === undefined)) ? 1 + openShare : 1;
  if (kind === 'order') return { from: 0, to: Math.max(1, (indexes.size - 1) * open) };
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { bars, marks } of lanes)
    for (const at of [
      ...bars.flatMap(({ fromMs, toMs }) => [fromMs, toMs ?? fromMs]),
      ...marks.map(({ atMs }) => atMs),
    ]) {
      from = Math.min(from, at);
      to = Math.max(to, at);
    }
  return { from, to: from + Math.max(1, (to - from) * open) };
}

/**
 * A history as lanes on an axis. Only the lanes in sight are in the document, so that its size does not depend on the history's.
 * A list box for those who use the keyboard or listen: its options are the bars and marks, its groups the lanes.
 */
export class Timeline {
  #element;
  #svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  #spacer = document.createElement('div');
  #onSelect;
  #lanes = [];
  #places = new Map();
  #indexes = new Map();
  #kind = 'time';
  #range = { from: 0, to: 1 };
  #view = { from: 0, to: 1 };
  #axis = axisOf('time', new Map(), this.#range);
  #selected;
  #frame;

  constructor(element, onSelect) {
    this.#element = element;
    this.#onSelect = onSelect;
    this.#svg.setAttribute('role', 'presentation');
    element.append(this.#svg, this.#spacer);
    element.addEventListener('scroll', () => this.#draw());
    element.addEventListener('keydown', event => this.#onKey(event));
    element.addEventListener('wheel', event => this.#onWheel(event), { passive: false });
    element.addEventListener('pointerdown', event => this.#onDrag(event));
    new ResizeObserver(() => this.#draw()).observe(element);
  }

  /** @param indexes sequence → place in the history. */
  setLanes(lanes, indexes) {
    const isFitted = this.#view.from === this.#range.from && this.#view.to === this.#range.to;
    this.#lanes = lanes;
    this.#indexes = indexes;
    this.#element.parentElement.style.setProperty('--whole', `${wholeHeight(lanes.length)}px`);
    this.#places.clear();
    for (const [row, { bars, marks }] of lanes.entries()) {
      for (const { first, last } of bars) this.#places.set(first, row).set(last, row);
      for (const { sequence } of marks) this.#places.set(sequence, row);
    }
    this.#measure(isFitted);
  }

  /** @param kind `time` or `order`. */
  setAxis(kind) {
    this.#kind = kind;
    this.#measure(true);
  }

  fit() {
    this.#view = { ...this.#range };
    this.#draw();
  }

  /** Shows less (above 1) or more of the axis. @param share of the view that stays where it is, 0 to 1. */
  zoom(factor, share = 0.5) {
    const { from, to } = this.#view;
    const anchor = from + (to - from) * share;
    const length = Math.min((to - from) / factor, this.#range.to - this.#range.from);
    this.#moveTo(anchor - length * share, length);
  }

  /** Marks an event and brings it in sight. @returns its lane. */
  select(sequence) {
    this.#selected = sequence;
    const row = this.#places.get(sequence);
    const lane = this.#lanes[row];
    const { at } = momentsOf(lane, this.#axis).find(moment => moment.sequence === sequence);
    const { from, to } = this.#view;
    if (at < from || at > to) this.#moveTo(at - (to - from) / 2, to - from);
    const { rowHeight, axisHeight } = layoutOf(this.#element);
    const top = row * rowHeight;
    const seen = this.#element.clientHeight - axisHeight - rowHeight;
    if (top < this.#element.scrollTop) this.#element.scrollTop = top;
    if (top > this.#element.scrollTop + seen) this.#element.scrollTop = top - seen;
    this.#draw();
    return lane;
  }

  #measure(fits) {
    this.#range = rangeOf(this.#kind, this.#lanes, this.#indexes);
    this.#axis = axisOf(this.#kind, this.#indexes, this.#range);
    if (fits) this.#view = { ...this.#range };
    this.#draw();
  }

  #moveTo(from, length) {
    const start = Math.max(this.#range.from, Math.min(from, this.#range.to - length));
    this.#view = { from: start, to: start + length };
    this.#draw();
  }

  #draw() {
    this.#frame ??= requestAnimationFrame(() => {
      this.#frame = undefined;
      const scene = {
        lanes: this.#lanes,
        axis: this.#axis,
        view: this.#view,
        range: this.#range,
        selected: this.#selected,
      };
      drawTimeline(this.#element, this.#svg, this.#spacer, scene);
    });
  }

  #onKey(event) {
    const row = this.#places.get(this.#selected) ?? -1;
    const moments = row < 0 ? [] : momentsOf(this.#lanes[row], this.#axis);
    const at = moments.findIndex(({ sequence }) => sequence === this.#selected);
    const nearest = other => {
      const lane = this.#lanes[Math.max(0, Math.min(other, this.#lanes.length - 1))];
      const wanted = moments[at]?.at ?? Number.NEGATIVE_INFINITY;
      return momentsOf(lane, this.#axis).reduce((a, b) => (Math.abs(b.at - wanted) < Math.abs(a.at - wanted) ? b : a));
    };
    const keys = {
      ArrowRight: () => moments[at + 1] ?? (row < 0 ? nearest(0) : undefined),
      ArrowLeft: () => moments[at - 1],
      ArrowDown: () => nearest(row + 1),
      ArrowUp: () => nearest(row - 1),
      Home: () => nearest(0),
      End: () => nearest(this.#lanes.length - 1),
      '+': () => this.zoom(2),
      '-': () => this.zoom(0.5),
    };
    const key = keys[event.key];
    if (key === undefined || this.#lanes.length === 0 || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const found = key();
    if (found) this.#onSelect(found.sequence);
  }

  #onWheel(event) {
    if (!event.ctrlKey) return;
    event.preventDefault();
    const { nameWidth, plotWidth } = layoutOf(this.#element);
    const share = (event.clientX - this.#element.getBoundingClientRect().left - nameWidth) / plotWidth;
    this.zoom(event.deltaY < 0 ? zoomStep : 1 / zoomStep, Math.max(0, Math.min(1, share)));
  }

  /** A drag moves the view; a press that stays where it is chooses. */
  #onDrag(event) {
    if (event.button !== 0 || event.target.closest('a')) return;
    const { plotWidth } = layoutOf(this.#element);
    const { from, to } = this.#view;
    const sequence = event.target.closest('[data-sequence]')?.dataset.sequence;
    let moved = 0;
    const move = ({ clientX }) => {
      moved = Math.max(moved, Math.abs(clientX - event.clientX));
      if (moved > dragThresholdPx)
        this.#moveTo(from - ((clientX - event.clientX) / plotWidth) * (to - from), to - from);
    };
    const end = () => {
      removeEventListener('pointermove', move);
      if (moved <= dragThresholdPx && sequence !== undefined) this.#onSelect(sequence);
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', end, { once: true });
  }
}

const rowHeight = 28;
const axisHeight = 26;
const barHeight = 14;
const leastBarPx = 4;
const dotRadius = 4.5;
const marginPx = 14;
const nameCharacters = 26;
const ticks = 6;

/** Sizes of the picture in its element, in pixels. */
export function layoutOf({ clientWidth }) {
  const nameWidth = Math.min(220, Math.round(clientWidth * 0.35));
  return { rowHeight, axisHeight, nameWidth, plotWidth: Math.max(50, clientWidth - nameWidth - marginPx) };
}

function make(name, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Milliseconds for people: `340 ms`, `2.5 s`, `3 min 20 s`, `2 h 5 min`, `1 d 3 h`. */
export function duration(ms) {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const units = [
    [86_400_000, 'd'],
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ];
  const first = units.findIndex(([size]) => ms >= size);
  const [[size, unit], [smaller, smallUnit] = [1, '']] = units.slice(first);
  const rest = Math.floor((ms % size) / smaller);
  return `${Math.floor(ms / size)} ${unit}${rest > 0 ? ` ${rest} ${smallUnit}` : ''}`;
}

const words = { open: 'still open', timed_out: 'timed out' };

function option(name, sequence, label, selected, attributes) {
  const isSelected = selected === sequence;
  return make(
    name,
    {
      role: 'option',
      id: `event-${sequence}`,
      'data-sequence': sequence,
      'aria-label': label,
      'aria-selected': isSelected,
      ...attributes,
    },
    make('title', {}, label),
  );
}

/** The height that shows every lane at once, in pixels. */
export function wholeHeight(lanes) {
  return axisHeight + lanes * rowHeight + 2;
}

/** What stands at a moment: a heartbeat crosses its bar, the scheduling of an activity stands before it, the rest on the line. */
function markOption(lane, { eventType, sequence }, px, middle, selected) {
  const label = `${lane.name}: ${eventType}`;
  if (eventType === 'ActivityHeartbeatRecorded')
    return option('rect', sequence, label, selected, {
      x: px - 1.5,
      y: middle - 10,
      width: 3,
      height: 20,
      class: 'beat',
    });
  const cx = eventType === 'ActivityScheduled' ? px - dotRadius - 1 : px;
  return option('circle', sequence, label, selected, { cx, cy: middle, r: dotRadius, class: 'dot' });
}

/** Things that would cover each other to the pixel are drawn once; what is chosen is always drawn. */
function* markOptions(lane, { axis, view, selected }, x, [least, most], middle) {
  let last;
  for (const mark of lane.marks) {
    const at = axis.mark(mark);
    const px = Math.round(x(at));
    if (at < view.from || at > view.to || px < least || px > most || (px === last && mark.sequence !== selected))
      continue;
    last = px;
    yield markOption(lane, mark, px, middle, selected);
  }
}

function barOption(lane, bar, index, [left, right], middle, selected) {
  const what = lane.kind === 'activity' ? `attempt ${index + 1} ` : '';
  const took = bar.toMs === undefined ? '' : `, ${duration(bar.toMs - bar.fromMs)}`;
  const label = `${lane.name}: ${what}${words[bar.outcome] ?? bar.outcome}${took}`;
  const sequence = selected === bar.first ? bar.first : (bar.last ?? bar.first);
  return option('rect', sequence, label, selected, {
    ...{ x: left, y: middle - barHeight / 2, width: Math.max(leastBarPx, right - left), height: barHeight, rx: 3 },
    ...{ class: lane.kind === 'run' ? 'bar run' : 'bar', 'data-outcome': bar.outcome },
  });
}

/** The bars of a lane, and between two of them the wait for the retry. */
function* barOptions(lane, { axis, selected }, x, [least, most], middle) {
  let drawnTo = Number.NEGATIVE_INFINITY;
  for (const [index, bar] of lane.bars.entries()) {
    const start = x(axis.start(bar));
    const end = Math.max(x(axis.end(bar)), start + leastBarPx);
    const next = lane.bars[index + 1];
    const [x1, x2] = [Math.max(least, end), Math.min(most, next ? x(axis.start(next)) : end)];
    if (x2 > x1) yield make('line', { x1, x2, y1: middle, y2: middle, class: 'gap' });
    const isSelected = selected !== undefined && (selected === bar.first || selected === bar.last);
    if (end < least || start > most || (end <= drawnTo && !isSelected)) continue;
    drawnTo = end;
    yield barOption(lane, bar, index, [Math.max(least, start), Math.min(most, end)], middle, selected);
  }
}

function laneName({ name, runId }, middle) {
  const short = name.length > nameCharacters ? `${name.slice(0, nameCharacters - 1)}…` : name;
  const text = make('text', { x: 12, y: middle, class: 'name' }, short, make('title', {}, name));
  return runId === undefined ? text : make('a', { href: `/runs/${runId}`, tabindex: -1 }, text);
}

function laneGroup(lane, y, scene, { nameWidth, plotWidth }) {
  const { from, to } = scene.view;
  const x = at => nameWidth + ((at - from) / (to - from)) * plotWidth;
  const edges = [nameWidth - leastBarPx, nameWidth + plotWidth + leastBarPx];
  const middle = y + rowHeight / 2;
  const bottom = y + rowHeight;
  return make(
    'g',
    { role: 'group', 'aria-label': `${lane.name}, ${lane.status}` },
    make('line', { x1: 0, x2: edges[1], y1: bottom, y2: bottom, class: 'row' }),
    laneName(lane, middle),
    ...barOptions(lane, scene, x, edges, middle),
    ...markOptions(lane, scene, x, edges, middle),
  );
}

function axisGroup({ axis, view, range }, { nameWidth, plotWidth }, height) {
  const group = make('g', { 'aria-hidden': 'true', class: 'axis' });
  group.append(
    make('rect', { x: 0, y: 0, width: nameWidth + plotWidth + marginPx, height: axisHeight, class: 'head' }),
  );
  for (let tick = 0; tick <= ticks; tick += 1) {
    const px = nameWidth + (tick / ticks) * plotWidth;
    const at = view.from + (tick / ticks) * (view.to - view.from);
    const text = axis.kind === 'time' ? duration(at - range.from) : `${Math.round(at) + 1}`;
    const anchor = tick === ticks ? 'end' : tick === 0 ? 'start' : 'middle';
    group.append(make('line', { x1: px, x2: px, y1: axisHeight, y2: height, class: 'grid' }));
    group.append(make('text', { x: px, y: 17, 'text-anchor': anchor }, text));
  }
  return group;
}

/** Draws the lanes that are in sight. @param scene lanes, axis, the part of it that is shown, and the chosen event. */
export function drawTimeline(element, svg, spacer, scene) {
  const layout = layoutOf(element);
  const height = element.clientHeight;
  const first = Math.floor(element.scrollTop / rowHeight);
  const inSight = Math.ceil((height - axisHeight) / rowHeight) + 1;
  const lanes = scene.lanes.slice(first, first + inSight);
  const top = axisHeight + first * rowHeight - element.scrollTop;
  svg.setAttribute('height', height);
  svg.setAttribute('width', element.clientWidth);
  spacer.style.height = `${Math.max(0, axisHeight + scene.lanes.length * rowHeight - height)}px`;
  const head = axisGroup(scene, layout, height);
  const grid = head.querySelectorAll('.grid');
  svg.replaceChildren(
    ...grid,
    ...lanes.map((lane, row) => laneGroup(lane, top + row * rowHeight, scene, layout)),
    head,
  );
  element.setAttribute('aria-activedescendant', scene.selected === undefined ? '' : `event-${scene.selected}`);
}

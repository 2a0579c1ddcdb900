import { showEvent } from './event-panel.js';
import { EventTable } from './event-table.js';
import { historyPages } from './history.js';
import { lanesOf } from './lanes.js';
import { Timeline } from './timeline.js';

const byId = id => document.getElementById(id);
const runId = byId('history').dataset.run;
const events = [];
const indexes = new Map();

const timeline = new Timeline(byId('timeline'), select);
const table = new EventTable(byId('events'), byId('pager'), select);

/** An event was chosen, in the picture or in the table: all three places show it. */
function select(sequence) {
  const index = indexes.get(sequence);
  const lane = timeline.select(sequence);
  table.select(sequence, index);
  showEvent(byId('event'), runId, events[index], lane);
}

byId('axis').addEventListener('change', ({ target }) => timeline.setAxis(target.value));
byId('zoom-in').addEventListener('click', () => timeline.zoom(2));
byId('zoom-out').addEventListener('click', () => timeline.zoom(0.5));
byId('fit').addEventListener('click', () => timeline.fit());

try {
  for await (const page of historyPages(runId)) {
    for (const event of page.events) {
      indexes.set(event.sequence, events.length);
      events.push(event);
    }
    const lanes = lanesOf(events);
    timeline.setLanes(lanes, indexes);
    table.setEvents(events);
    const count = `${events.length.toLocaleString('en')} events in ${lanes.length.toLocaleString('en')} lanes`;
    byId('progress').textContent = page.isWhole ? count : `${count}, loading …`;
  }
} catch (error) {
  byId('progress').textContent = `The history cannot be read: ${error.message}`;
}

import type { Plain } from '../../../store/reads.ts';
import { type Fragment, type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { moment, statusBadge } from './parts.ts';

const fact = (name: string, value: Fragment) => html`<div><dt>${name}</dt><dd>${value ?? '–'}</dd></div>`;

function facts(run: Plain, summary: Plain): Html {
  return html`<dl class="facts">
      ${fact('Workflow', html`<span class="id">${String(run.workflow_instance_id)}</span>`)}
      ${fact('Queue', run.queue as string | null)}
      ${fact('Events', String(run.last_history_sequence))}
      ${fact('Waits for', summary.wait_kind as string | null)}
      ${fact('Created (UTC)', moment(run.created_at))}
      ${fact('Closed (UTC)', moment(run.closed_at))}
      ${fact('History', `${summary.history_size_bytes} bytes, pressure ${summary.history_budget_pressure}`)}
    </dl>`;
}

const legend = ['completed', 'failed', 'timed_out', 'cancelled', 'open'].map(
  outcome => html`<li><span class="swatch" data-outcome="${outcome}"></span>${outcome.replace('_', ' ')}</li>`,
);

/** A run: what it is, and its history as a picture, as a table and event by event. */
export function runPage(run: Plain, signedIn: boolean): Html {
  const id = String(run.id);
  return layout({
    title: `Run ${id}`,
    assets: ['run.css', 'run.js'],
    signedIn,
    main: html`<div class="heading">
      <h1>${String(run.workflow_type)} ${statusBadge(run.status)}</h1>
      <p class="id muted">${id}</p>
    </div>
    ${facts(run, (run.summary ?? {}) as Plain)}
    <section class="card" id="history" data-run="${id}" aria-labelledby="timeline-title">
      <header>
        <h2 id="timeline-title">History</h2>
        <p id="progress" class="muted" role="status">Loading the history …</p>
        <div class="tools">
          <select id="axis" aria-label="Axis"><option value="time">By time</option><option value="order">By order of events</option></select>
          <button type="button" id="zoom-out" aria-label="Zoom out">−</button>
          <button type="button" id="zoom-in" aria-label="Zoom in">+</button>
          <button type="button" id="fit">Fit</button>
        </div>
      </header>
      <div class="split">
        <div id="timeline" class="timeline" role="listbox" tabindex="0" aria-label="Timeline of the history. Arrow keys go from event to event." aria-orientation="horizontal"></div>
        <aside id="event" class="event" aria-live="polite" aria-label="Event"><p class="muted">Choose an event to see what it holds: click it, or use the arrow keys.</p></aside>
      </div>
      <footer>
        <ul class="legend" aria-label="Colours">${legend}<li><span class="beat"></span>heartbeat</li><li><span class="dot"></span>other event</li></ul>
        <p class="muted">Arrow keys go from event to event and lane to lane; + and − zoom; Ctrl and the wheel zoom, dragging moves.</p>
      </footer>
    </section>
    <section class="card" aria-labelledby="events-title">
      <header><h2 id="events-title">Events</h2><div class="tools" id="pager"></div></header>
      <div class="wide" id="events"></div>
    </section>`,
  });
}

import { runStatuses } from '../../../completion/outcome.ts';
import type { Plain } from '../../../store/reads.ts';
import type { RunsQuery } from '../api-parameters.ts';
import { type Html, html } from './html.ts';
import { moment, statusBadge } from './parts.ts';

/** A page of runs, or why there is none. */
export type RunsFound =
  | { readonly runs: readonly Plain[]; readonly next: string | null }
  | { readonly problem: string };

function searchForm({ search, type, status }: RunsQuery): Html {
  return html`<form class="search" role="search" method="get" action="/">
        <input name="search" type="search" aria-label="Search runs" placeholder="Run id, workflow id or type" value="${search}">
        ${type && html`<input name="type" type="hidden" value="${type}">`}
        <select name="status" aria-label="Status">
          <option value="">Any status</option>
          ${runStatuses.map(name =>
            name === status ? html`<option selected>${name}</option>` : html`<option>${name}</option>`,
          )}
        </select>
        <button>Search</button>
      </form>`;
}

const row = (run: Plain) => html`<tr>
            <td><a class="id" href="/runs/${String(run.id)}">${String(run.id)}</a></td>
            <td class="id">${String(run.workflow_instance_id)}</td>
            <td>${String(run.workflow_type)}</td>
            <td>${statusBadge(run.status)}</td>
            <td>${run.wait_kind === null ? html`<span class="muted">–</span>` : String(run.wait_kind)}</td>
            <td class="number">${String(run.last_history_sequence)}</td>
            <td>${moment(run.created_at)}</td>
          </tr>`;

function nextPage(query: RunsQuery, next: string | null): Html | null {
  if (next === null) return null;
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...query, cursor: next }))
    if (value !== undefined) given.set(name, String(value));
  return html`<p><a rel="next" href="/?${given.toString()}">Older runs</a></p>`;
}

function table(query: RunsQuery, found: RunsFound): Html {
  if ('problem' in found) return html`<p class="problem" role="alert">The runs cannot be read: ${found.problem}</p>`;
  if (found.runs.length === 0) return html`<p class="muted">No run matches.</p>`;
  return html`<div class="wide"><table>
          <caption class="hidden">Runs, newest first</caption>
          <thead><tr><th scope="col">Run</th><th scope="col">Workflow</th><th scope="col">Type</th><th scope="col">Status</th><th scope="col">Waits for</th><th scope="col" class="number">Events</th><th scope="col">Created (UTC)</th></tr></thead>
          <tbody>${found.runs.map(row)}</tbody>
        </table></div>
        ${nextPage(query, found.next)}`;
}

/** The list of runs with its search. */
export function runsSection(query: RunsQuery, found: RunsFound): Html {
  return html`<section class="card" aria-labelledby="runs-title">
      <header><h2 id="runs-title">Runs</h2>${searchForm(query)}</header>
      <div id="runs" data-live>${table(query, found)}</div>
    </section>`;
}

import type { RecentRefusal } from '../../recent-refusals.ts';
import { type Html, html } from './html.ts';
import { moment } from './parts.ts';

/** What the list of refusals needs to know of the board. */
export interface RefusalsOptions {
  readonly queueName: string;
  /** Whether there is a token, so that jobs may be put back. */
  readonly writable: boolean;
}

function redriveForm(jobId: string): Html {
  return html`<form method="post" action="/dead-letters/${encodeURIComponent(jobId)}/redrive">
              <button aria-label="Redrive ${jobId}">Redrive</button>
            </form>`;
}

/** The last refused jobs, with the way to each on the board. */
export function refusalsSection(refusals: readonly RecentRefusal[], options: RefusalsOptions): Html {
  const board = `/queues/queue/${encodeURIComponent(options.queueName)}`;
  const row = ({ job_id, code, message, refused_at }: RecentRefusal) => html`<tr>
            <td><code>${code}</code></td>
            <td class="job"><a class="id" href="${board}/${encodeURIComponent(job_id)}">${job_id}</a></td>
            <td class="why" title="${message}">${message}</td>
            <td>${moment(refused_at.toISOString())}</td>
            <td>${options.writable && redriveForm(job_id)}</td>
          </tr>`;
  const table = html`<div class="wide"><table>
          <caption class="hidden">Jobs that were refused last</caption>
          <thead><tr><th scope="col">Code</th><th scope="col">Job</th><th scope="col">Why</th><th scope="col">Refused (UTC)</th><th scope="col"><span class="hidden">Action</span></th></tr></thead>
          <tbody>${refusals.map(row)}</tbody>
        </table></div>`;
  return html`<section class="card" aria-labelledby="refusals-title">
      <header>
        <h2 id="refusals-title">Last refusals</h2>
        <a href="${board}?status=failed">All refused jobs</a>
      </header>
      <div id="refusals" data-live>${refusals.length === 0 ? html`<p class="muted">This daemon has refused nothing since it started.</p>` : table}</div>
    </section>`;
}

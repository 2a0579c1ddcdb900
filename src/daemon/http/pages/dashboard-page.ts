import type { QueueCounts } from '../../../queue/admin.ts';
import type { RecentRefusal } from '../../recent-refusals.ts';
import type { RunsQuery } from '../api-parameters.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { type RefusalsOptions, refusalsSection } from './refusals-section.ts';
import { type RunsFound, runsSection } from './runs-section.ts';

/** What the dashboard shows. */
export interface Dashboard extends RefusalsOptions {
  readonly counts: QueueCounts | undefined;
  readonly refusals: readonly RecentRefusal[];
  readonly query: RunsQuery;
  readonly found: RunsFound;
}

const states = ['waiting', 'active', 'delayed', 'failed', 'completed'] as const;

const tile = (
  state: (typeof states)[number],
  count: number | undefined,
) => html`<div class="tile" data-state="${state}">
        <dt>${state}</dt>
        <dd data-count="${state}">${count ?? '–'}</dd>
      </div>`;

const chart = (id: string, title: string) => html`<figure class="card chart" aria-labelledby="${id}-title">
        <figcaption><h2 id="${id}-title">${title}</h2><output class="muted" data-latest="${id}"></output></figcaption>
        <div id="${id}" class="plot" aria-hidden="true"></div>
        <details><summary>As a table</summary><div class="wide" data-table="${id}"></div></details>
      </figure>`;

/** The first page: the queue, what is done a second and how long runs are locked, refusals and runs. */
export function dashboardPage({ counts, refusals, query, found, writable, queueName }: Dashboard): Html {
  return layout({
    title: 'Dashboard',
    assets: ['uplot.css', 'dashboard.css', 'dashboard.js'],
    signedIn: writable,
    main: html`<div class="heading"><h1>Dashboard</h1><p id="state" class="muted" role="status"></p></div>
    <section aria-label="Jobs in the queue"><dl class="tiles">${states.map(state => tile(state, counts?.[state]))}</dl></section>
    <div class="charts">
      ${chart('rate', 'Completions a second')}
      ${chart('lock', "Time under a run's lock, ms")}
    </div>
    ${refusalsSection(refusals, { writable, queueName })}
    ${runsSection(query, found)}`,
  });
}

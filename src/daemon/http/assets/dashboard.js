import { LiveChart } from './live-chart.js';

const statsEveryMs = 1_000;
const listsEveryMs = 2_000;

const rate = new LiveChart('rate', [{ label: 'completions', colour: '--accent', fill: true }]);
const lock = new LiveChart('lock', [
  { label: 'p50', colour: '--completed' },
  { label: 'p99', colour: '--timed-out' },
]);

function say(selector, text) {
  const element = document.querySelector(selector);
  if (element.textContent !== text) element.textContent = text;
}

async function showStats() {
  const response = await fetch('/api/stats');
  if (response.status === 401) return location.reload();
  const { problems, queue, completions } = await response.json();
  say('#state', problems.length === 0 ? 'Ready' : `Not ready: ${problems.join('; ')}`);
  for (const cell of document.querySelectorAll('[data-count]'))
    cell.textContent = queue?.[cell.dataset.count]?.toLocaleString('en') ?? '–';
  const { seconds, completions: counts, lock_ms_p50: p50, lock_ms_p99: p99 } = completions;
  rate.update(seconds, counts);
  lock.update(seconds, p50, p99);
  say('[data-latest=rate]', `${counts.at(-1)} in the last second`);
  const last = p50.findLastIndex(value => value !== null);
  say('[data-latest=lock]', last < 0 ? 'nothing in five minutes' : `last: p50 ${p50[last]}, p99 ${p99[last]}`);
}

/** The lists come as they were rendered: the same page is asked for, and what changed in it is put in place. */
async function showLists() {
  const response = await fetch(location.href, { headers: { accept: 'text/html' } });
  if (response.redirected) return location.reload();
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  for (const element of document.querySelectorAll('[data-live]')) {
    const fresh = page.getElementById(element.id);
    const isUsed = element.contains(document.activeElement);
    if (fresh && !isUsed && fresh.innerHTML !== element.innerHTML) element.replaceChildren(...fresh.childNodes);
  }
}

/** Again and again while the page is seen; one that fails says so and goes on. */
async function repeat(work, everyMs) {
  try {
    if (!document.hidden) await work();
  } catch {
    say('#state', 'The daemon does not answer');
  }
  setTimeout(repeat, everyMs, work, everyMs);
}

void repeat(showStats, statsEveryMs);
void repeat(showLists, listsEveryMs);

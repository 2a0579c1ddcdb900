const pageEvents = 500;
const followEveryMs = 2_000;

/** Event types behind which a history does not go on. */
const isEnd = ({ event_type }) =>
  /^Workflow(Completed|Failed|Cancelled|Terminated|TimedOut|ContinuedAsNew)$/.test(event_type);

const sleep = ms => new Promise(resolve => setTimeout(resolve, ms));

/** A run's events, a page at a time; where the run is not closed, those to come as well. `isWhole` is true at the end of what is stored. */
export async function* historyPages(runId) {
  for (let after = '0'; ; ) {
    const response = await fetch(`/api/runs/${runId}/history?after=${after}&limit=${pageEvents}`);
    if (!response.ok) throw new Error((await response.json()).error.message);
    const { events, next } = await response.json();
    if (events.length > 0 || after === '0') yield { events, isWhole: next === null };
    after = events.at(-1)?.sequence ?? after;
    if (events.some(isEnd) && next === null) return;
    if (next === null) await sleep(followEveryMs);
  }
}

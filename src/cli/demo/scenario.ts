import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../config/package-root.ts';

/** One completion of the demo's workflows, and what has to happen before the next. */
export interface Step {
  readonly commands: readonly object[];
  /** Sent to the run behind the completion; it wakes the run. */
  readonly signal?: string;
}

/** A workflow of the demo: what its worker sends back, task by task. */
export interface Story {
  readonly workflowType: string;
  readonly steps: readonly Step[];
}

function commands(name: string): readonly object[] {
  return JSON.parse(readFileSync(join(packageRoot, 'src/cli/demo/scenario', `${name}.json`), 'utf8')) as object[];
}

/** The last wait of a list, which the demo answers with a signal. */
function signalOf(list: readonly object[]): string | undefined {
  const wait = list.findLast(command => (command as { type?: string }).type === 'open_signal_wait');
  return (wait as { signal_name?: string } | undefined)?.signal_name;
}

function story(workflowType: string, ...lists: readonly (readonly object[])[]): Story {
  const steps = lists.map((list, index) => {
    const signal = index < lists.length - 1 ? signalOf(list) : undefined;
    return { commands: list, ...(signal !== undefined && { signal }) };
  });
  return { workflowType, steps };
}

function generated(records: number): readonly object[] {
  const list = Array.from({ length: records }, (_, index) => ({
    type: 'record_local_activity',
    activity_type: `local.step-${index}`,
    outcome: 'completed',
    arguments: { codec: 'json', blob: JSON.stringify([index]) },
    result: { codec: 'json', blob: JSON.stringify({ ok: true, step: index }) },
    attempts: [{ attempt_id: `w-${index}`, attempt_number: 1, outcome: 'completed', duration_ms: 5 }],
  }));
  return [...list, { type: 'open_signal_wait', signal_name: 'continue' }];
}

/** The demo's workflows, told one after the other; with a number of records, that one only. */
export function stories(records: number | undefined): readonly Story[] {
  const finish = commands('finish');
  if (records !== undefined) return [story('batch', generated(records), finish)];
  return [
    story('payment', commands('retries-heartbeats-and-a-failure')),
    story('pipeline', commands('forty-records-and-a-side-effect'), finish),
    story('steps', commands('five-records'), finish),
    story('order', commands('order-fulfilment')),
    story('pages', commands('continue'), finish),
  ];
}

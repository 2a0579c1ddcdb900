import type { Row } from '../store/statement.ts';
import { openParentCall, openPolicyChildren } from '../store/statements/children.ts';
import { type lockedRunColumns, lockRun } from '../store/statements/runs.ts';
import type { StoreTransaction } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';

/**
 * Children that one transaction closes with their parent. What is more, and what the children's own children are, is left
 * to a due task, so that the end of a run is never too large to be written.
 */
export const maxChildrenClosedAtOnce = 200;

export type ChildCall = Row<typeof openPolicyChildren.columns>;
export type LockedRun = Row<typeof lockedRunColumns>;
export type ParentCall = Row<typeof openParentCall.columns>;

/** A run that may end in this transaction, locked together with the runs its end reaches. */
export interface Family {
  readonly runs: ReadonlyMap<string, LockedRun>;
  readonly parentCall: ParentCall | undefined;
  readonly childCalls: readonly ChildCall[];
  readonly hasMoreChildren: boolean;
}

async function relatives(tx: StoreTransaction, runId: string) {
  const [parents, children] = await Promise.all([
    tx.read(openParentCall, [runId]),
    tx.read(openPolicyChildren, [runId, maxChildrenClosedAtOnce + 1]),
  ]);
  return { parentCall: parents[0], childCalls: children };
}

/** Locks runs in the one order that every transaction keeps, ascending by id; all in one round trip where the driver can. */
export async function lockRuns(tx: StoreTransaction, runIds: Iterable<string>): Promise<Family['runs']> {
  const ordered = [...new Set(runIds)].sort();
  const found = await Promise.all(ordered.map(id => tx.read(lockRun, [id])));
  return new Map(found.flat().map(row => [row.id, row]));
}

/**
 * Locks a run, its parent and its children. Who they are is read before the locks and again under them.
 * @throws StoreError of class `requeue` when the family changed in between.
 */
export async function lockFamily(tx: StoreTransaction, runId: string): Promise<Family> {
  const before = await relatives(tx, runId);
  const parentId = before.parentCall?.workflow_run_id;
  const childIds = before.childCalls.slice(0, maxChildrenClosedAtOnce).map(call => call.child_workflow_run_id);
  const runs = await lockRuns(tx, [runId, ...childIds, ...(parentId ? [parentId] : [])]);
  const { parentCall, childCalls: all } = await relatives(tx, runId);
  const childCalls = all.slice(0, maxChildrenClosedAtOnce);
  const known = [
    ...childCalls.map(call => call.child_workflow_run_id),
    ...(parentCall ? [parentCall.workflow_run_id] : []),
  ];
  if (known.some(id => !runs.has(id)))
    throw new StoreError(
      'family_changed',
      { class: 'requeue', requeueClass: 'serialization' },
      `parent or children of run ${runId} changed while they were being locked`,
    );
  return { runs, parentCall, childCalls, hasMoreChildren: all.length > maxChildrenClosedAtOnce };
}

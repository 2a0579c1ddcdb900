import type { NewWait } from '../../commands/command.ts';
import type { Instant } from '../../store/instant.ts';
import type { NewRow } from '../../store/table.ts';
import type { workflowRunWaits } from '../../store/tables.ts';
import type { OpenWait } from '../run-state.ts';

/** The row of a wait that a command opens. */
export function waitRow(wait: NewWait, now: Instant): NewRow<typeof workflowRunWaits> {
  return {
    id: wait.id,
    sequence: wait.sequence,
    kind: wait.kind,
    status: wait.resolved ? 'resolved' : 'open',
    name: wait.name ?? null,
    fingerprint: wait.fingerprint ?? null,
    source_id: wait.sourceId ?? null,
    timer_id: wait.timerId ?? null,
    parallel_group_id: wait.parallelGroupId ?? null,
    timeout_seconds: wait.timeoutSeconds ?? null,
    opened_at: now,
    deadline_at: wait.deadline ?? null,
    resolved_at: wait.resolved ? now : null,
    created_at: now,
    updated_at: now,
  };
}

/** A wait as the summary shows it: the reason is what the run waits for, by name where it has one. */
export function openWaitOf(id: string, kind: string, name: string | null): OpenWait {
  return { id, kind, reason: name };
}

import type { Need, PreparedCommand } from '../commands/command.ts';
import { parallelProblems } from '../commands/parallel.ts';
import type { Completion } from '../completion/completion.ts';
import { Refusal } from '../completion/refusal.ts';
import type { Instant } from '../store/instant.ts';
import { estimateBytes } from '../store/table.ts';
import { workflowRunWaits } from '../store/tables.ts';
import { Budget, type BudgetLimits } from './budget.ts';
import { Drafting } from './drafting.ts';

/** A wait's row: its values, four ids, and a name of any length. */
const waitRowBytes = estimateBytes(workflowRunWaits, {}) + 4 * 26 + 4 * 255;

/** Limits that a completion must keep before it may touch a database: settings `limits`. */
export interface CompletionLimits extends BudgetLimits {
  readonly payloadBytes: number;
}

/** A command ready to be applied. */
export interface ReadyCommand {
  readonly isRecord: boolean;
  readonly prepared: PreparedCommand;
}

/** A completion with all ids, rows and payloads made; the terminal command is last wherever it stood. */
export interface PreparedCompletion {
  readonly completion: Completion;
  readonly now: Instant;
  readonly commands: readonly ReadyCommand[];
  readonly needs: ReadonlySet<Need>;
}

/**
 * The pass over a completion before `begin`: everything that needs no database, so that the lock is held for statements only.
 * @throws Refusal `payload_too_large` or `invalid_parallel_group` naming every path, or `completion_budget_exceeded`.
 */
export function prepareCompletion(completion: Completion, limits: CompletionLimits, now: Instant): PreparedCompletion {
  const drafting = new Drafting({
    now,
    taskId: completion.task_id,
    leaseOwner: completion.lease_owner,
    payloadBytes: limits.payloadBytes,
  });
  const isTerminal = (command: Completion['commands'][number]) => command.definition.role === 'terminal';
  const ordered = [
    ...completion.commands.filter(command => !isTerminal(command)),
    ...completion.commands.filter(isTerminal),
  ];
  const commands = ordered.map(({ definition, value, index }) => {
    drafting.path = `commands.${index}.`;
    return { isRecord: definition.role === 'record', prepared: definition.prepare(value, drafting) };
  });
  if (drafting.tooLarge.length > 0) throw new Refusal('payload_too_large', drafting.tooLarge.join('; '));
  const problems = parallelProblems(completion.commands);
  if (problems.length > 0) throw new Refusal('invalid_parallel_group', problems.join('; '));
  const budget = new Budget(limits);
  for (const { prepared } of commands) {
    for (const { bytes } of prepared.rows) budget.chargeRow(bytes);
    for (const { bytes } of prepared.events) budget.chargeEvent(bytes);
    if (prepared.opensWait) budget.chargeRow(waitRowBytes);
  }
  budget.check();
  return { completion, now, commands, needs: new Set(commands.flatMap(({ prepared }) => prepared.needs ?? [])) };
}

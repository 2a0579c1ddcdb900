import type { CommandDefinition } from './command.ts';
import { completeUpdate } from './complete-update.ts';
import { completeWorkflow } from './complete-workflow.ts';
import { continueAsNew } from './continue-as-new.ts';
import { failUpdate } from './fail-update.ts';
import { failWorkflow } from './fail-workflow.ts';
import { openConditionWait } from './open-condition-wait.ts';
import { openSignalWait } from './open-signal-wait.ts';
import { recordLocalActivity } from './record-local-activity.ts';
import { recordSideEffect } from './record-side-effect.ts';
import { recordVersionMarker } from './record-version-marker.ts';
import { scheduleActivity } from './schedule-activity.ts';
import { startChildWorkflow } from './start-child-workflow.ts';
import { startServiceOperation } from './start-service-operation.ts';
import { startTimer } from './start-timer.ts';
import { upsertMemo } from './upsert-memo.ts';
import { upsertSearchAttributes } from './upsert-search-attributes.ts';

/** Every command a completion may carry. A new command is a file and a line here. */
const definitions = [
  recordLocalActivity,
  recordSideEffect,
  recordVersionMarker,
  upsertSearchAttributes,
  upsertMemo,
  scheduleActivity,
  startTimer,
  openConditionWait,
  openSignalWait,
  startChildWorkflow,
  completeUpdate,
  failUpdate,
  startServiceOperation,
  completeWorkflow,
  failWorkflow,
  continueAsNew,
] as unknown as readonly CommandDefinition[];

export const commandDefinitions: ReadonlyMap<string, CommandDefinition> = new Map(
  definitions.map(definition => [definition.type, definition]),
);

/** A command that passed its schema, with its place in the completion. */
export interface Command {
  readonly definition: CommandDefinition;
  readonly value: { readonly type: string };
  readonly index: number;
}

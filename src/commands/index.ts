import type { CommandDefinition } from './command.ts';
import { completeWorkflow } from './complete-workflow.ts';
import { failWorkflow } from './fail-workflow.ts';
import { openConditionWait } from './open-condition-wait.ts';
import { openSignalWait } from './open-signal-wait.ts';
import { recordLocalActivity } from './record-local-activity.ts';
import { recordSideEffect } from './record-side-effect.ts';
import { recordVersionMarker } from './record-version-marker.ts';

/** Every command a completion may carry. A new command is a file and a line here. */
const definitions = [
  recordLocalActivity,
  recordSideEffect,
  recordVersionMarker,
  openConditionWait,
  openSignalWait,
  completeWorkflow,
  failWorkflow,
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

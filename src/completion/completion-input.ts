import type { CommandDefinition } from '../commands/command.ts';
import type { completeUpdate } from '../commands/complete-update.ts';
import type { completeWorkflow } from '../commands/complete-workflow.ts';
import type { continueAsNew } from '../commands/continue-as-new.ts';
import type { failUpdate } from '../commands/fail-update.ts';
import type { failWorkflow } from '../commands/fail-workflow.ts';
import type { openConditionWait } from '../commands/open-condition-wait.ts';
import type { openSignalWait } from '../commands/open-signal-wait.ts';
import type { recordLocalActivity } from '../commands/record-local-activity.ts';
import type { recordSideEffect } from '../commands/record-side-effect.ts';
import type { recordVersionMarker } from '../commands/record-version-marker.ts';
import type { scheduleActivity } from '../commands/schedule-activity.ts';
import type { startChildWorkflow } from '../commands/start-child-workflow.ts';
import type { startServiceOperation } from '../commands/start-service-operation.ts';
import type { startTimer } from '../commands/start-timer.ts';
import type { upsertMemo } from '../commands/upsert-memo.ts';
import type { upsertSearchAttributes } from '../commands/upsert-search-attributes.ts';
import type { ActivityCompletion } from './activity-completion.ts';

type OptionalKeys<T> = { [K in keyof T]-?: undefined extends T[K] ? K : never }[keyof T];

/** What a schema gives → what it takes: optional fields may be left out, and nothing is changed. */
type InputOf<T> = T extends readonly (infer Item)[]
  ? readonly InputOf<Item>[]
  : T extends object
    ? { readonly [K in Exclude<keyof T, OptionalKeys<T>>]: InputOf<T[K]> } & {
        readonly [K in OptionalKeys<T>]?: InputOf<T[K]> | undefined;
      }
    : T;

type InputOfDefinition<D> = D extends CommandDefinition<infer C> ? InputOf<C> : never;

/** A command as a worker writes it; `type` tells which. */
export type CommandInput =
  | InputOfDefinition<typeof recordLocalActivity>
  | InputOfDefinition<typeof recordSideEffect>
  | InputOfDefinition<typeof recordVersionMarker>
  | InputOfDefinition<typeof upsertSearchAttributes>
  | InputOfDefinition<typeof upsertMemo>
  | InputOfDefinition<typeof scheduleActivity>
  | InputOfDefinition<typeof startTimer>
  | InputOfDefinition<typeof openConditionWait>
  | InputOfDefinition<typeof openSignalWait>
  | InputOfDefinition<typeof startChildWorkflow>
  | InputOfDefinition<typeof completeUpdate>
  | InputOfDefinition<typeof failUpdate>
  | InputOfDefinition<typeof startServiceOperation>
  | InputOfDefinition<typeof completeWorkflow>
  | InputOfDefinition<typeof failWorkflow>
  | InputOfDefinition<typeof continueAsNew>;

/** The command of one type: `CommandInputOf<'start_timer'>`. */
export type CommandInputOf<T extends CommandInput['type']> = Extract<CommandInput, { readonly type: T }>;

/** A completion as a worker writes it: what `CompletionProducer` puts into the queue. */
export interface CompletionInput {
  readonly task_id: string;
  readonly lease_owner: string;
  /** The fencing token from the claim. */
  readonly workflow_task_attempt: number;
  /** 1 to 1,000; a terminal one is applied last, wherever it stands. */
  readonly commands: readonly CommandInput[];
  /** 1 to 128 of `A-Z a-z 0-9 . _ -`; else it is derived from the content. */
  readonly completion_id?: string | undefined;
  /** W3C trace context. */
  readonly traceparent?: string | undefined;
}

/** The end of an activity's attempt as its worker writes it, for jobs named `activity-completion`. */
export type ActivityCompletionInput = InputOf<Omit<ActivityCompletion, 'contentDigest' | 'completion_id'>> & {
  readonly completion_id?: string | undefined;
};

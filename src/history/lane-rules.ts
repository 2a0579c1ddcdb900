import type { BarOutcome, Lane } from './lane.ts';

type Payload = Readonly<Record<string, unknown>>;

/** Which lane an event belongs to, and whether it ends the lane's bar. */
export interface LaneRule {
  readonly kind: Lane['kind'];
  /** The key of the payload whose value tells lanes of a kind apart. */
  readonly key: string;
  readonly name: (payload: Payload) => string;
  readonly end?: BarOutcome;
}

function timerName({ timer_kind, delay_seconds, condition_key, signal_name }: Payload): string {
  return timer_kind === 'timer' ? `timer ${delay_seconds} s` : `time-out ${condition_key ?? signal_name ?? ''}`;
}

const timer = { kind: 'timer', key: 'timer_id', name: timerName } as const;
const signal = {
  kind: 'wait',
  key: 'signal_wait_id',
  name: (payload: Payload) => `signal ${payload.signal_name}`,
} as const;
const condition = {
  kind: 'wait',
  key: 'condition_wait_id',
  name: (payload: Payload) => `condition ${payload.condition_key ?? ''}`,
} as const;
const child = {
  kind: 'child',
  key: 'child_call_id',
  name: (payload: Payload) => `child ${payload.child_workflow_type}`,
} as const;
const update = {
  kind: 'update',
  key: 'update_id',
  name: (payload: Payload) => `update ${payload.update_name}`,
} as const;
const service = {
  kind: 'service',
  key: 'service_call_id',
  name: (payload: Payload) => `${payload.service_name}.${payload.operation_name}`,
} as const;

/** Event types whose lane is told by one id. Activities have attempts and are not here; what is in no lane is the run's. */
export const laneRules: Readonly<Record<string, LaneRule>> = {
  TimerScheduled: timer,
  TimerFired: { ...timer, end: 'completed' },
  TimerCancelled: { ...timer, end: 'cancelled' },
  SignalWaitOpened: signal,
  SignalApplied: { ...signal, end: 'completed' },
  ConditionWaitOpened: condition,
  ConditionWaitSatisfied: { ...condition, end: 'completed' },
  ConditionWaitTimedOut: { ...condition, end: 'timed_out' },
  ChildWorkflowScheduled: child,
  ChildRunStarted: child,
  ChildRunCompleted: { ...child, end: 'completed' },
  ChildRunFailed: { ...child, end: 'failed' },
  ChildRunCancelled: { ...child, end: 'cancelled' },
  ChildRunTerminated: { ...child, end: 'cancelled' },
  UpdateAccepted: update,
  UpdateApplied: update,
  UpdateCompleted: { ...update, end: 'completed' },
  ServiceCallStarted: service,
  ServiceCallCompleted: { ...service, end: 'completed' },
  ServiceCallFailed: { ...service, end: 'failed' },
  ServiceCallCancelled: { ...service, end: 'cancelled' },
};

/** Event types that end a run. */
export const runEnds: Readonly<Record<string, BarOutcome>> = {
  WorkflowCompleted: 'completed',
  WorkflowContinuedAsNew: 'completed',
  WorkflowFailed: 'failed',
  WorkflowTimedOut: 'timed_out',
  WorkflowCancelled: 'cancelled',
  WorkflowTerminated: 'cancelled',
};

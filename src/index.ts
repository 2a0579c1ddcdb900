export { ConfigError } from '../config/config-error.ts';
export { loadSettings, type SettingsSources } from '../config/load.ts';
export { maskSettings } from '../config/mask.ts';
export { type Settings, settingsSchema } from '../config/settings.ts';
export { type Completion, completionIdOf, contentDigest } from './completion/completion.ts';
export type {
  ActivityCompletionInput,
  CommandInput,
  CommandInputOf,
  CompletionInput,
} from './completion/completion-input.ts';
export type { Outcome, RunStatus } from './completion/outcome.ts';
export { Refusal, type RefusalCode, refusalStatuses } from './completion/refusal.ts';
export { type Daemon, type StartOptions, startDaemon } from './daemon/daemon.ts';
export { CompletionRefused } from './queue/completion-refused.ts';
export { CompletionProducer, type Enqueued, type ProducerSettings } from './queue/producer.ts';
export { QueueError } from './queue/queue-error.ts';
export { Instant } from './store/instant.ts';
export { type OpenOptions, openStore } from './store/open-store.ts';
export {
  type HistoryEvent,
  type HistoryPage,
  listRuns,
  type RunFilter,
  readActivities,
  readHistory,
  readRun,
  streamHistory,
} from './store/reads.ts';
export type { Capabilities, SchemaStatus, Store } from './store/store.ts';
export { StoreError } from './store/store-error.ts';
export { type Audit, type Problem, verify } from './store/verify.ts';
export { type ClaimedTask, type ClaimRequest, claimTask } from './transaction/claim-task.ts';
export { cancelRun, terminateRun } from './transaction/end-run.ts';
export type { ExternalOutcome, ExternalRequest } from './transaction/external-command.ts';
export { sendSignal } from './transaction/send-signal.ts';
export { sendUpdate, type UpdateOutcome } from './transaction/send-update.ts';
export { type StartedRun, type StartRequest, startRun } from './transaction/start-run.ts';

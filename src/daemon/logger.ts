import { type Logger, pino } from 'pino';
import type { Settings } from '../../config/settings.ts';
import type { Answered, JobTask } from '../pool/protocol.ts';

export type { Logger } from 'pino';

/** The daemon's log: JSON lines on standard error, since standard output belongs to commands. */
export function createLogger(settings: Pick<Settings, 'logLevel'>): Logger {
  return pino({ level: settings.logLevel, base: { pid: process.pid } }, pino.destination(2));
}

/** One line a job: ids, outcome, times; never a payload. */
export function logVerdict(logger: Logger, task: JobTask, verdict: Answered, takenAtMs: number): void {
  const { traceId: trace_id } = verdict;
  const queue_wait_ms = Math.max(0, takenAtMs - task.enqueuedAtMs);
  const line = { job_id: task.id, job: task.name, queue_wait_ms, ...(trace_id && { trace_id }) };
  switch (verdict.kind) {
    case 'completed': {
      const { task_id, run_id, recorded, event_count, run_status } = verdict.outcome;
      const { transactionMs, lockMs } = verdict.stats;
      const times = { transaction_ms: Math.round(transactionMs * 10) / 10, lock_ms: Math.round(lockMs * 10) / 10 };
      logger.info({ ...line, task_id, run_id, recorded, event_count, run_status, ...times }, 'completed');
      return;
    }
    case 'done':
      logger.debug(line, 'done');
      return;
    case 'refused':
      logger.warn({ ...line, code: verdict.code, message: verdict.message }, 'refused');
      return;
    case 'requeue':
      logger.warn({ ...line, class: verdict.class, message: verdict.message }, 'requeued');
      return;
    case 'unknown':
      logger.warn({ ...line, message: verdict.message }, 'outcome unknown: the receipt decides');
      return;
    case 'defect':
      logger.error({ ...line, message: verdict.message }, 'defect');
  }
}

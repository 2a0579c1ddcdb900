import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Completion } from '../completion/completion.ts';
import { Refusal } from '../completion/refusal.ts';
import type { Verdict } from '../pool/protocol.ts';

/**
 * Work on a completion as a span of the trace that it was sent in. Ids, the outcome and what it cost; never a payload. Costs
 * nothing to speak of where no OpenTelemetry SDK is registered in the thread.
 */
export async function inApplySpan(completion: Completion, work: () => Promise<Verdict>): Promise<Verdict> {
  const { traceparent, task_id, completion_id } = completion;
  const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
  const attributes = { 'completiond.task_id': task_id, 'completiond.completion_id': completion_id };
  const options = { kind: SpanKind.CONSUMER, attributes };
  const span = trace.getTracer('completiond').startSpan('completiond.apply', options, parent);
  try {
    const verdict = await work();
    span.setAttribute('completiond.outcome', verdict.kind);
    if (verdict.kind === 'completed')
      span.setAttributes({
        'completiond.run_id': verdict.outcome.run_id,
        'completiond.recorded': verdict.outcome.recorded,
        'completiond.lock_ms': verdict.stats.lockMs,
        'completiond.rows': verdict.stats.rows,
      });
    return verdict;
  } catch (error) {
    const code = error instanceof Refusal ? error.code : 'failed';
    span.setAttributes({
      'completiond.outcome': error instanceof Refusal ? 'refused' : 'failed',
      'completiond.code': code,
    });
    span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    throw error;
  } finally {
    span.end();
  }
}

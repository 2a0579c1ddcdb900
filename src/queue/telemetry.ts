import { context, ProxyTracerProvider, propagation, trace } from '@opentelemetry/api';
import type { Telemetry } from 'bullmq';
import { BullMQOtel } from 'bullmq-otel';

/** The provider behind the API while no SDK has registered one. */
const nothing = new ProxyTracerProvider().getDelegate();

/** BullMQ's own spans, where the process has an OpenTelemetry SDK: without one they would only cost. */
export function queueTelemetry(): Telemetry | undefined {
  const provider = trace.getTracerProvider();
  const isTraced = !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== nothing;
  return isTraced ? new BullMQOtel({ tracerName: 'completiond' }) : undefined;
}

/** A completion with the trace it is sent in, unless it names one: the thread that applies it goes on with it. */
export function withTraceparent(completion: object): object {
  if ('traceparent' in completion) return completion;
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent === undefined ? completion : { ...completion, traceparent: carrier.traceparent };
}

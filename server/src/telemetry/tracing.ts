import { type Context, context, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { AlwaysOffSampler, BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/**
 * Creates the spans of this process. Without a collector, calls still have trace ids, for logs and error objects.
 */
export interface Tracing {
  /** Starts the span of a call that has these headers (W3C Trace Context). */
  begin(name: string, headers: Record<string, unknown>): Span
  close(): Promise<void>
}

/**
 * @param endpoint address of the collector, for OTLP over HTTP. If undefined, spans have ids but are not exported.
 */
export async function startTracing(endpoint: string | undefined): Promise<Tracing> {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'ondine' }),
    ...(endpoint
      ? { spanProcessors: [await sendTo(`${endpoint}/v1/traces`)] }
      : { sampler: new AlwaysOffSampler() }),
  })
  const tracer = provider.getTracer('ondine')
  const propagator = new W3CTraceContextPropagator()
  return {
    begin: (name, headers) =>
      tracer.startSpan(name, { kind: SpanKind.SERVER }, parentOf(propagator, headers)),
    close: async () => await provider.shutdown(),
  }
}

async function sendTo(url: string): Promise<BatchSpanProcessor> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  return new BatchSpanProcessor(new OTLPTraceExporter({ url }))
}

function parentOf(propagator: W3CTraceContextPropagator, headers: Record<string, unknown>): Context {
  if (headers.traceparent === undefined) return context.active()
  return propagator.extract(context.active(), headers, {
    get: (carrier, key) => {
      const value = carrier[key]
      return typeof value === 'string' ? value : undefined
    },
    keys: (carrier) => Object.keys(carrier),
  })
}

/** Returns the `traceparent` of a span. It identifies the call when a person reports a fault. */
export function traceparentOf(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`
}

/** Ends a call's span with its HTTP status. */
export function endSpan(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

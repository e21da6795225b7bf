import { setTimeout as pause } from 'node:timers/promises'
import { type Context, context, type Span, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'
import type { FastifyBaseLogger } from 'fastify'

/** Longest time that the end of the process waits for the collector, in milliseconds. */
const LAST_EXPORT_MS = 1000

/**
 * Creates the spans of this process. Without a collector, calls still have trace ids, for logs and error objects.
 */
export interface Tracing {
  /** Starts the span of a call that has these headers (W3C Trace Context). */
  begin(name: string, headers: Record<string, unknown>): Span
  /** Sends the remaining spans, within a second. Spans that the collector does not receive by then are lost. */
  close(): Promise<void>
}

/**
 * @param endpoint address of the collector, for OTLP over HTTP. If undefined, spans have ids but are not exported.
 */
export async function startTracing(
  endpoint: string | undefined,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<Tracing> {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'ondine' }),
    ...(endpoint ? { spanProcessors: [await sendTo(endpoint, log)] } : { sampler: new AlwaysOffSampler() }),
  })
  const tracer = provider.getTracer('ondine')
  const propagator = new W3CTraceContextPropagator()
  return {
    begin: (name, headers) =>
      tracer.startSpan(name, { kind: SpanKind.SERVER }, parentOf(propagator, headers)),
    close: async () => {
      // The library tries again for up to 10 seconds, and its shutdown fails if the collector does not answer.
      const isSent = provider.shutdown().then(
        () => true,
        () => false,
      )
      if (!(await Promise.race([isSent, pause(LAST_EXPORT_MS, false, { ref: false })])))
        log.warn('the last traces could not be sent to the collector')
    },
  }
}

async function sendTo(
  endpoint: string,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): Promise<BatchSpanProcessor> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http')
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  return new BatchSpanProcessor(loggingFailures(exporter, log))
}

/** Logs the first of several failed exports, and the first one that succeeds after them. */
function loggingFailures(
  exporter: SpanExporter,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const { code, error } = result
        if (code === ExportResultCode.FAILED && !isFailing)
          log.warn({ err: error }, 'the collector does not receive the traces')
        if (code === ExportResultCode.SUCCESS && isFailing) log.info('the collector receives traces again')
        isFailing = code === ExportResultCode.FAILED
        done(result)
      }),
    shutdown: async () => await exporter.shutdown(),
  }
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

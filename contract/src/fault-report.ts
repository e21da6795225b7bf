import { scrubText } from './scrub.ts'

/** A fault to report. Secrets and personal data are removed from its texts before they are sent. */
export interface Fault {
  /** Type of the error: `TypeError`, `ApiError`. */
  type: string
  message: string
  stack?: string | undefined
  /** Path of the page or the operation, without a query string. */
  where: string
  /** Details for diagnosis: code, endpoint, method. */
  tags?: Record<string, string>
  /** W3C Trace Context of the call that failed. */
  traceparent?: string
}

/** The destination of reports, derived from a Sentry-compatible address (DSN). */
export interface ReportTarget {
  /** Scheme, host and port. The content security policy of pages must allow connections to it. */
  origin: string
  /** URL that accepts reports (envelopes) by POST. */
  url: string
}

/** Parses a DSN: `https://{key}@{host}/{path}/{project}`. Returns undefined for anything else. */
export function reportTarget(dsn: string): ReportTarget | undefined {
  if (!URL.canParse(dsn)) return undefined
  const { protocol, host, username, pathname, origin } = new URL(dsn)
  const [, path, project] = /^(.*)\/(\d+)\/?$/.exec(pathname) ?? []
  if (!/^https?:$/.test(protocol) || username === '' || project === undefined) return undefined
  return {
    origin,
    url: `${protocol}//${host}${path}/api/${project}/envelope/?sentry_version=7&sentry_client=ondine&sentry_key=${username}`,
  }
}

/**
 * Returns a report in Sentry's envelope format: a header, the item's header and the event, each on a line.
 *
 * @param id 32 hexadecimal digits
 * @param now milliseconds since the Unix epoch
 */
export function faultEnvelope(
  fault: Fault,
  { id, now, platform }: { id: string; now: number; platform: 'javascript' | 'node' },
): string {
  const [, traceId, spanId] = fault.traceparent?.split('-') ?? []
  const event = {
    event_id: id,
    timestamp: now / 1000,
    platform,
    level: 'error',
    transaction: scrubText(fault.where),
    tags: Object.fromEntries(
      Object.entries(fault.tags ?? {}).map(([name, value]) => [name, scrubText(value).slice(0, 200)]),
    ),
    ...(traceId === undefined ? {} : { contexts: { trace: { trace_id: traceId, span_id: spanId } } }),
    exception: {
      values: [
        {
          type: fault.type.slice(0, 100),
          value: scrubText(fault.message),
          stacktrace: { frames: framesOf(fault.stack ?? '') },
        },
      ],
    },
  }
  const header = { event_id: id, sent_at: new Date(now).toISOString() }
  return [header, { type: 'event' }, event].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Parses the frames of a stack trace from a browser or Node. Returns the frames with the innermost frame last. */
function framesOf(stack: string) {
  return stack
    .split('\n')
    .slice(0, 60)
    .flatMap((line) => {
      const found =
        /^\s*at (?:(.*?) \()?(.+?):(\d+):(\d+)\)?$/.exec(line) ?? /^(?:(.*?)@)(.+?):(\d+):(\d+)$/.exec(line)
      if (found === null) return []
      const [, name = '?', file = '', row, column] = found
      return [
        { function: name || '?', filename: scrubText(file), lineno: Number(row), colno: Number(column) },
      ]
    })
    .toReversed()
}

/**
 * Limits the number of reports per minute, and reports the same fault only once in a minute. Without the limit, a
 * broken page would send reports endlessly.
 */
export class ReportLimit {
  readonly #perMinute: number
  #since = 0
  #known = new Set<string>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Returns whether to report a fault. `now` in milliseconds. */
  admits({ type, message }: Pick<Fault, 'type' | 'message'>, now: number): boolean {
    if (now - this.#since >= 60_000) {
      this.#since = now
      this.#known = new Set()
    }
    const mark = `${type} ${message}`
    if (this.#known.has(mark) || this.#known.size >= this.#perMinute) return false
    this.#known.add(mark)
    return true
  }
}

import { scrubText } from './scrub.ts'

/** A fault as it is reported. Every text in it is scrubbed on its way out. */
export interface Fault {
  /** Kind of error: `TypeError`, `ApiError`. */
  type: string
  message: string
  stack?: string | undefined
  /** The path of the page or the operation, without its query. */
  where: string
  /** What helps to find it: code, endpoint, method. */
  tags?: Record<string, string>
  /** W3C Trace Context of the call that failed. */
  traceparent?: string
}

/** Where reports go, made out of a Sentry-compatible address (DSN). */
export interface ReportTarget {
  /** The scheme, host and port, which a page must be allowed to connect to. */
  origin: string
  /** Takes reports (envelopes) by POST. */
  url: string
}

/** Reads a DSN: `https://{key}@{host}/{path}/{project}`. Undefined for what is none. */
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
 * A report as it travels (Sentry's envelope format): a header, the item's header, the event, each on a line.
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

/** The frames of a stack as browsers and Node write them, the innermost last. */
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

/** Lets through a few reports a minute, and each fault once in that time: a broken page would report without end. */
export class ReportLimit {
  readonly #perMinute: number
  #since = 0
  #known = new Set<string>()

  constructor(perMinute: number) {
    this.#perMinute = perMinute
  }

  /** Whether a fault is to be reported. `now` in milliseconds. */
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

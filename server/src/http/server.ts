import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { Span } from '@opentelemetry/api'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Metrics } from '../telemetry/metrics.ts'
import { endSpan, type Tracing } from '../telemetry/tracing.ts'
import { barePage } from './bare-page.ts'
import { invalidFields, ServiceError } from './errors.ts'
import type { FaultOf } from './faults.ts'
import { giveWayToCalls } from './give-way.ts'
import { refuseOtherSites } from './own-site.ts'
import { languageOfPage } from './page-language.ts'
import { answerUnread } from './unread-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the call, for its errors. */
    language: Language
    span: Span | null
    /** Whether the viewer's side of the connection is https: as a trusted proxy says, else as `PUBLIC_URL` does. */
    isOverHttps: boolean
  }
  interface FastifyContextConfig {
    /** Name of the contract's operation behind the route. */
    operation?: string
    /** What a fault is answered with where people look at it: a page. */
    faultPage?: (request: FastifyRequest, status: number) => string
    /** Past the service's capacity this route is turned away, so that those who already watch go on. */
    refusedWhenBusy?: boolean
  }
  interface FastifyInstance {
    /** Every route that was registered, as `GET /path`: what a test of access goes through. */
    routeList: string[]
  }
}

/**
 * Over how long the event loop's lateness is judged, in milliseconds. A single pause, such as that of a machine which
 * was asleep, is no overload.
 */
const BUSY_STRETCH_MS = 5000

/** Largest body of a call, in bytes: forms are small. */
const BODY_LIMIT = 256 * 1024

/** Node takes no more characters before a body; so no part of an address is too long for its route, which says what is wrong. */
const MOST_OF_A_HEAD = 16_384

/** A page for a fault loads and runs nothing. */
const FAULT_PAGE_POLICY = "default-src 'none'; style-src-attr 'unsafe-inline'; frame-ancestors 'none'"

/** A browser takes no answer for what its type does not say. */
const EVERY_ANSWER = { 'x-content-type-options': 'nosniff' }

/** For a year a browser asks this host by https only (RFC 6797). Its subdomains may be others' hosts. */
const OVER_HTTPS = { 'strict-transport-security': 'max-age=31536000' }

export interface HttpOptions {
  log: FastifyBaseLogger
  trustProxy: boolean
  /** Whether viewers reach the service by https, whatever a request says. */
  isPublicOverHttps: boolean
  /** Origins whose pages may call besides the service's own. */
  origins: readonly string[]
  /** Mean lateness of the event loop past which new calls are turned away, in milliseconds; 0 for never. */
  overloadDelayMs: number
  tracing: Tracing
  metrics: Metrics
  faultOf: FaultOf
}

function isOverHttps({ protocol, headers }: FastifyRequest, options: HttpOptions): boolean {
  if (options.trustProxy && headers['x-forwarded-proto'] !== undefined) return protocol === 'https'
  return protocol === 'https' || options.isPublicOverHttps
}

/** The HTTP server with everything that all routes share: limits, forms, cookies, traces, figures, errors. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: options.trustProxy,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MOST_OF_A_HEAD },
    forceCloseConnections: 'idle',
    clientErrorHandler: answerUnread,
    frameworkErrors: (error, request, reply) => answerUnreadable(error, request, reply, options),
  })
  app.decorate('routeList', [])
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) app.routeList.push(`${each} ${url}`)
  })
  app.decorateRequest('language', DEFAULT_LANGUAGE)
  app.decorateRequest('span', null)
  app.decorateRequest('isOverHttps', false)

  giveWayToCalls(app)
  // Before anything that can fail: what answers a fault reads cookies too.
  await app.register(cookie)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(EVERY_ANSWER)
    request.isOverHttps = isOverHttps(request, options)
    if (request.isOverHttps) reply.headers(OVER_HTTPS)
    // What a call answers is for its caller alone; routes whose answers may be kept say so.
    if (request.routeOptions.config.operation !== undefined) reply.header('cache-control', 'no-store')
    refuseSecondHost(request.raw.rawHeaders)
  })
  await app.register(underPressure, {
    maxEventLoopDelay: options.overloadDelayMs,
    sampleInterval: BUSY_STRETCH_MS,
    pressureHandler: async (request, _reply, _kind, lateness) => {
      // A stretch without a single sample is one long pause; nothing can be told from it.
      if (request.routeOptions.config.refusedWhenBusy === true && Number.isFinite(lateness))
        throw new ServiceError('temporarilyUnavailable', { retryAfterSeconds: 2 })
    },
  })
  await app.register(rateLimit, { global: false, errorResponseBuilder: tooManyRequests })
  await app.register(formbody, { bodyLimit: BODY_LIMIT })

  refuseOtherSites(app, options.origins)
  app.addHook('onRequest', async (request) => {
    const { operation } = request.routeOptions.config
    if (operation) request.span = options.tracing.begin(operation, request.headers)
  })
  app.addHook('onResponse', async (request, reply) => {
    const { operation } = request.routeOptions.config
    if (!operation || !request.span) return
    endSpan(request.span, reply.statusCode)
    options.metrics.calls.observe({ route: operation, status: reply.statusCode }, reply.elapsedTime / 1000)
  })

  app.setErrorHandler(async (error, request, reply) => {
    const { operation, faultPage } = request.routeOptions.config
    const { log, span, language } = request
    const where = operation ?? request.routeOptions.url ?? ''
    const { status, retryAfterSeconds, envelope } = options.faultOf(error, { log, where, span, language })
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    reply.status(status)
    return faultPage === undefined ? reply.send(envelope) : sendPage(reply, faultPage(request, status))
  })
  return app
}

/**
 * Refuses a request with two `Host` headers (RFC 9112, 3.2). Node keeps the first one, and a proxy may have looked at the
 * other.
 *
 * @throws ServiceError invalidInput
 */
function refuseSecondHost(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw invalidFields([{ field: 'host', message: 'is given twice' }])
}

/** What cannot be read as an address reaches no route, and nothing of what routes share. */
function answerUnreadable(
  error: Error,
  request: Pick<FastifyRequest, 'headers'>,
  reply: FastifyReply,
  { log, faultOf, isPublicOverHttps }: HttpOptions,
): void {
  const { accept = '', 'accept-language': accepted } = request.headers
  const wish = { pathname: '/', cookie: undefined, accepted }
  const language = languageOfPage(wish, DEFAULT_CONFIGURATION.languages)
  const { status, envelope } = faultOf(error, { log, where: '', span: null, language })
  reply.status(status).headers(isPublicOverHttps ? { ...EVERY_ANSWER, ...OVER_HTTPS } : EVERY_ANSWER)
  if (accept.includes('text/html')) sendPage(reply, barePage(language, status))
  else reply.send(envelope)
}

function sendPage(reply: FastifyReply, page: string): FastifyReply {
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', FAULT_PAGE_POLICY)
    .type('text/html; charset=utf-8')
    .send(page)
}

/** Answers what no route takes: an unknown operation, code 7. The paths of the API have no pages. */
export function answerUnknownOperations(app: FastifyInstance): void {
  for (const prefix of [
    '/proxy/*',
    '/cms/*',
    '/crm/*',
    '/inapp/*',
    '/oauth/*',
    '/images/*',
    '/configuration/*',
    '/operator/*',
  ]) {
    app.all(prefix, { exposeHeadRoute: false }, unknownOperation)
  }
  // Pages are only read.
  app.setNotFoundHandler(unknownOperation)
}

function unknownOperation(): never {
  throw new ServiceError('notImplemented')
}

function tooManyRequests(_request: FastifyRequest, context: { ttl: number }): ServiceError {
  return new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(context.ttl / 1000) })
}

import cookie from '@fastify/cookie'
import formbody from '@fastify/formbody'
import rateLimit from '@fastify/rate-limit'
import underPressure from '@fastify/under-pressure'
import websocket from '@fastify/websocket'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { DEFAULT_LANGUAGE, isLanguage, type Language } from '@ondine/contract/languages'
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
import { openToApps } from './app-origins.ts'
import { barePage } from './bare-page.ts'
import { invalidFields, ServiceError } from './errors.ts'
import type { FaultOf } from './faults.ts'
import { removePorts } from './forwarded-addresses.ts'
import { giveWayToCalls } from './give-way.ts'
import { refuseOtherSites } from './own-site.ts'
import { languageOfPage } from './page-language.ts'
import { CARRIERS, tokenHeader } from './principal.ts'
import { answerUnread } from './unread-requests.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The language of the call, used for its errors. */
    language: Language
    span: Span | null
    /**
     * Whether the viewer connects over https: according to a trusted proxy if it states the scheme, else according
     * to the connection or `PUBLIC_URL`.
     */
    isOverHttps: boolean
  }
  interface FastifyContextConfig {
    /** Name of the contract's operation behind the route. */
    operation?: string
    /** Returns the error page for a fault, on routes that people open in a browser. */
    faultPage?: (request: FastifyRequest, status: number) => string
    /** Whether the call is refused under overload, so that viewers who are already watching can continue. */
    loadShedding?: boolean
  }
  interface FastifyInstance {
    /** All registered routes, as `GET /path`. The access test calls each of them. */
    routeList: string[]
  }
}

/**
 * Period over which the delay of the event loop is measured, in milliseconds. A single pause, such as that of a
 * suspended machine, is not an overload.
 */
const BUSY_STRETCH_MS = 5000

/** Largest body of a call, in bytes. Forms are small. */
const BODY_LIMIT = 256 * 1024

/** Maximum time for a client to send a request, in milliseconds. Answers and WebSockets may take longer. */
const REQUEST_MS = 30_000
/** How often Node looks for requests that have exceeded this time, in milliseconds. Its default is 30 seconds. */
const REQUEST_CHECK_MS = 5000

/**
 * Largest message that a client may send over a WebSocket, in bytes. Clients send none: they make calls instead
 * (docs/decisions/0090).
 */
const MOST_SOCKET_BYTES = 1024

/**
 * Node's limit for the request line and headers, in characters. Route parameters may be as long, so that the route
 * itself reports a parameter that is too long.
 */
const MOST_OF_A_HEAD = 16_384

/** The error page loads and runs nothing. */
const FAULT_PAGE_POLICY = "default-src 'none'; style-src-attr 'unsafe-inline'; frame-ancestors 'none'"

/** Browsers must use the declared type and not guess another one. */
const EVERY_ANSWER = { 'x-content-type-options': 'nosniff' }

/**
 * Makes browsers use only https for this host for a year (RFC 6797). Subdomains are not included, because they may
 * belong to other people.
 */
const OVER_HTTPS = { 'strict-transport-security': 'max-age=31536000' }

export interface HttpOptions {
  log: FastifyBaseLogger
  /** Whether one proxy is in front of the service, or the addresses and networks of all proxies in front of it. */
  trustProxy: boolean | string[]
  /** Whether viewers always reach the service over https, whatever the request says. */
  isPublicOverHttps: boolean
  /** Origins of native apps, whose pages may call the service. */
  appOrigins: readonly string[]
  /** Further origins of the service's own pages. */
  origins: readonly string[]
  /** Mean delay of the event loop above which new calls are refused, in milliseconds; 0 for never. */
  overloadDelayMs: number
  tracing: Tracing
  metrics: Metrics
  faultOf: FaultOf
}

function isOverHttps({ protocol, headers }: FastifyRequest, options: HttpOptions): boolean {
  if (options.trustProxy && headers['x-forwarded-proto'] !== undefined) return protocol === 'https'
  return protocol === 'https' || options.isPublicOverHttps
}

/** Creates the HTTP server with everything that routes share: limits, forms, cookies, traces, metrics and errors. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    // One proxy: only the address that this proxy has added is believed. Clients can send the others themselves.
    trustProxy: options.trustProxy === true ? (_address, hop) => hop === 0 : options.trustProxy,
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: MOST_OF_A_HEAD },
    forceCloseConnections: 'idle',
    requestTimeout: REQUEST_MS,
    // The default of `headersTimeout` is longer than `requestTimeout`. Node would then exchange the two values.
    http: { headersTimeout: REQUEST_MS, connectionsCheckingInterval: REQUEST_CHECK_MS },
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
  // Cookies are parsed before any code that can fail, because the error page reads them too.
  await app.register(cookie)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(EVERY_ANSWER)
    if (options.trustProxy !== false) removePorts(request.raw.headers)
    request.isOverHttps = isOverHttps(request, options)
    if (request.isOverHttps) reply.headers(OVER_HTTPS)
    // An answer is only for its caller. Routes with cacheable answers override this.
    if (request.routeOptions.config.operation !== undefined) reply.header('cache-control', 'no-store')
    refuseSecondHost(request.raw.rawHeaders)
  })
  // Runs before all hooks that may refuse a call, so that an app's page can read the refusal.
  openToApps(app, options.appOrigins, options.origins)
  await app.register(underPressure, {
    maxEventLoopDelay: options.overloadDelayMs,
    sampleInterval: BUSY_STRETCH_MS,
    pressureHandler: async (request, _reply, _kind, lateness) => {
      // A period without any sample was a single long pause, which does not indicate load.
      if (request.routeOptions.config.loadShedding === true && Number.isFinite(lateness))
        throw new ServiceError('temporarilyUnavailable', { retryAfterSeconds: 2 })
    },
  })
  await app.register(rateLimit, { global: false, errorResponseBuilder: tooManyRequests })
  await app.register(formbody, { bodyLimit: BODY_LIMIT })
  // Registered before the routes, so that the plugin rejects an upgrade on any route without a WebSocket.
  await app.register(websocket, { options: { maxPayload: MOST_SOCKET_BYTES } })

  refuseOtherSites(app, [...options.appOrigins, ...options.origins])
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
    const { log, span, language, hostname } = request
    const where = operation ?? request.routeOptions.url ?? ''
    const apiKey = tokenHeader(request, CARRIERS.storefront.header)
    const { status, retryAfterSeconds, envelope } = options.faultOf(error, {
      log,
      where,
      span,
      language,
      apiKey,
      hostname,
    })
    if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds)
    reply.status(status)
    return faultPage === undefined ? reply.send(envelope) : sendPage(reply, faultPage(request, status))
  })
  return app
}

/**
 * Rejects a request with two `Host` headers (RFC 9112, 3.2): Node keeps the first header, and a proxy may have
 * used the second.
 *
 * @throws ServiceError invalidInput
 */
function refuseSecondHost(rawHeaders: readonly string[]): void {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  if (hosts.length > 1) throw invalidFields([{ field: 'host', message: 'is given twice' }])
}

/** Answers a request whose address cannot be parsed. Such a request reaches no route and no hook. */
function answerUnreadable(
  error: Error,
  request: Pick<FastifyRequest, 'headers' | 'hostname'>,
  reply: FastifyReply,
  { log, faultOf, isPublicOverHttps }: HttpOptions,
): void {
  const { accept = '', 'accept-language': accepted } = request.headers
  const wish = { pathname: '/', cookie: undefined, accepted }
  const language = languageOfPage(wish, DEFAULT_CONFIGURATION.languages)
  const apiKey = tokenHeader(request, CARRIERS.storefront.header)
  const { status, envelope } = faultOf(error, {
    log,
    where: '',
    span: null,
    language,
    apiKey,
    hostname: request.hostname,
  })
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

/** Answers unknown operations with code 7. The paths of the API have no pages. */
export function answerUnknownOperations(app: FastifyInstance): void {
  for (const prefix of [
    '/proxy/*',
    '/cms/*',
    '/crm/*',
    '/inapp/*',
    '/npvr/*',
    '/identity/*',
    '/oauth/*',
    '/images/*',
    '/configuration/*',
    '/operator/*',
  ]) {
    app.all(prefix, { exposeHeadRoute: false }, unknownOperation)
  }
  // Pages support only GET and HEAD.
  app.setNotFoundHandler(unknownOperation)
}

/** Refuses in the language of the call, like a known operation. */
function unknownOperation(request: FastifyRequest): never {
  for (const sent of [request.query, request.body]) {
    const code =
      typeof sent === 'object' && sent !== null && 'languageId' in sent ? sent.languageId : undefined
    if (typeof code === 'string' && isLanguage(code)) request.language = code
  }
  throw new ServiceError('notImplemented')
}

function tooManyRequests(_request: FastifyRequest, context: { ttl: number }): ServiceError {
  return new ServiceError('slowDown', { retryAfterSeconds: Math.ceil(context.ttl / 1000) })
}

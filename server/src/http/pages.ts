import { SHUFFLES } from '@ondine/contract/catalogue'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { Language } from '@ondine/contract/languages'
import { APP_ICON_PNG, FAVICON, siteIcon } from '@ondine/contract/site-icon'
import type { CatalogueTexts } from '@ondine/contract/words'
import {
  type ApiFetch,
  type ConfigurationState,
  type PageContext,
  type PageEnvironment,
  SORT_COOKIE,
  sortOf,
  TELEVISION_COOKIE,
  VISIT_COOKIE,
} from '@ondine/web/api/page-context'
import { ALIASES } from '@ondine/web/routes'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { APP_ICON, APP_MANIFEST, type AppLook, appIcon, appManifest, embeddedIcon } from './app-manifest.ts'
import { barePage } from './bare-page.ts'
import { ServiceError } from './errors.ts'
import type { AnswerInside } from './operations.ts'
import { comesFromOtherSite } from './own-site.ts'
import { encodingOf, PackedBody } from './packed-body.ts'
import { type LanguageWish, languageOfPage, prefixOfPage } from './page-language.ts'
import { securityHeaders } from './page-policy.ts'
import { CARRIERS } from './principal.ts'
import { layoutOf } from './television.ts'
import { type DrawnPage, type KeptPage, VisitorPages } from './visitor-pages.ts'
import type { WebApplication } from './web-application.ts'

/** The time zone of pages until the browser has reported its zone. */
const DEFAULT_TIME_ZONE = 'Europe/Paris'

/**
 * Matches addresses of files, never of pages: assets of earlier builds, and well-known files that programs request
 * without a link to them.
 */
const FILE = /^\/(?:assets\/|[^/?]+\.[a-z][a-z0-9]{1,11}(?:\?|$))/i

export interface PagesOptions {
  application: WebApplication
  inside: AnswerInside
  /** Returns the storefront of the requested page. */
  storefrontOf(request: FastifyRequest, reply: FastifyReply): PageStorefront
  clock: Clock
  /** Returns the icon for home screens as PNG; undefined if it is a path of the site. */
  appIconPng(look: AppLook): Promise<Buffer | undefined>
  /** How long a page may be shared among viewers who are not signed in, in seconds; 0 for not at all. */
  cacheSeconds: number
  timeZone?: string
  /** Origins of pages that a screen may show in a frame. */
  frames?: readonly string[]
}

/** The data of a storefront that a page needs. */
interface PageStorefront {
  apiKey: string
  /** Whether every request for this address with the same cookies gets this storefront. */
  isForAll: boolean
  configuration: ConfigurationState
  /** The storefront's texts in a language, and the address from which the browser loads them. */
  wordsIn(language: Language): { texts: CatalogueTexts; address: string }
  /** Addresses of pictures of other sites in its menus. */
  menuPictures: readonly string[]
  /** The origin of the site, and whether the installation knows it. */
  site: { origin: string; isKnown: boolean }
}

/**
 * Serves the web pages and files of the web application. While a page is rendered, it calls the service inside the
 * process, with the cookies of the browser's request for the page. The answer with the page carries the cookies that
 * these calls set.
 */
export async function pages(app: FastifyInstance, options: PagesOptions): Promise<void> {
  const {
    application,
    inside,
    storefrontOf,
    clock,
    cacheSeconds,
    appIconPng,
    timeZone = DEFAULT_TIME_ZONE,
    frames = [],
  } = options
  await application.serveFiles(app)

  const draw = async (
    request: Request,
    known: Omit<PageContext, 'deliver'>,
    { configuration, menuPictures }: PageStorefront,
  ): Promise<DrawnPage> => {
    let document = Buffer.alloc(0)
    const deliver = (whole: Buffer<ArrayBuffer>) => {
      document = whole
    }
    const { status, headers } = await application.fetch(request, { context: { ...known, deliver } })
    const security = application.isStrict
      ? securityHeaders(document, configuration, { frames, menuPictures }, new URL(request.url).pathname)
      : []
    return { status, headers: [...headers, ...security], document }
  }
  const kept = new VisitorPages(cacheSeconds)

  const page = async (request: FastifyRequest, reply: FastifyReply) => {
    if (FILE.test(request.url)) throw new ServiceError('notFound')
    const storefront = storefrontOf(request, reply)
    const { apiKey, isForAll, configuration, wordsIn, site } = storefront
    const { languages } = configuration.configuration
    const language = languageOfPage(languageWish(request), languages)
    const { texts, address } = wordsIn(language)
    const environment: PageEnvironment = {
      identityKey: apiKey,
      language,
      prefix: prefixOfPage(language, languages),
      wordsAddress: address,
      timeZone: timeZoneOf(request, timeZone),
      origin: site.origin,
      isKnownOrigin: site.isKnown,
      shuffle: shuffleOf(request, clock.now()),
      sort: sortOf(request.cookies[SORT_COOKIE]),
    }

    const layout = layoutOf({
      asked: queryOf(request).get(TELEVISION_COOKIE),
      remembered: request.cookies[TELEVISION_COOKIE],
      userAgent: request.headers['user-agent'],
      isFromOtherSite: comesFromOtherSite(request),
    })
    const { television, toRemember } = layout
    if (toRemember !== undefined) rememberLayout(reply, toRemember)

    if (cacheSeconds > 0 && isAnybody(request)) {
      const key = JSON.stringify([environment, television, configuration.tag, request.url])
      const nobody = Object.create(request, { cookies: { value: {} }, headers: { value: {} } })
      const apiFetch = callsOf(inside, { request: nobody, reply })
      const shared = await kept.get(key, clock.now(), async () => {
        const known = { apiFetch, configuration, texts, television, ...environment }
        return await draw(asRequest(request.url, environment.origin), known, storefront)
      })
      // Pages vary by cookies, which contain the viewer's language, time zone, order of lists and layout. All
      // browsers without cookies get the same page, except televisions: a television gets a different page, together
      // with a cookie.
      reply.header('vary', 'accept-encoding, accept-language, cookie')
      const control =
        isForAll && layout.isForAll ? `public, max-age=0, s-maxage=${cacheSeconds}` : 'private, no-cache'
      // A missing page may be published, and a fault may pass, so no cache may keep either.
      reply.header('cache-control', shared.status < 400 ? control : 'no-store')
      return await send(reply, shared, header(request, 'accept-encoding'))
    }

    const apiFetch = callsOf(inside, { request, reply })
    const own = await draw(
      asOwnRequest(request, reply, environment.origin),
      { apiFetch, configuration, texts, television, ...environment },
      storefront,
    )
    reply.header('vary', 'accept-encoding')
    reply.header('cache-control', 'private, no-cache')
    return await send(
      reply,
      { ...own, document: new PackedBody(own.document) },
      header(request, 'accept-encoding'),
    )
  }
  app.get(FAVICON, (request, reply) => {
    const { brand } = storefrontOf(request, reply).configuration.configuration
    const address = siteIcon(brand)
    // Not public, because a host may have several storefronts.
    reply.header('cache-control', 'private, max-age=3600')
    if (address !== FAVICON) return reply.redirect(address)
    return reply.type('image/svg+xml').send(embeddedIcon(brand))
  })
  app.get(APP_MANIFEST, (request, reply) => {
    const { configuration } = storefrontOf(request, reply).configuration
    return (
      reply
        // Not public, because a host may have several storefronts.
        .header('cache-control', 'private, max-age=3600')
        .type('application/manifest+json; charset=utf-8')
        .send(appManifest(configuration))
    )
  })
  app.get(APP_ICON, (request, reply) => {
    const icon = appIcon(storefrontOf(request, reply).configuration.configuration)
    if (icon === undefined) return reply.callNotFound()
    // Not public, because a host may have several storefronts.
    return reply.header('cache-control', 'private, max-age=3600').type('image/svg+xml').send(icon)
  })
  app.get(APP_ICON_PNG, async (request, reply) => {
    const { configuration } = storefrontOf(request, reply).configuration
    // Not public, because a host may have several storefronts.
    reply.header('cache-control', 'private, max-age=3600')
    const png = await appIconPng(configuration)
    if (png === undefined) return await reply.redirect(configuration.brand.icon)
    return await reply.type('image/png').send(png)
  })
  // The return address from an identity provider is the only page under the paths of the API.
  for (const path of ['/*', ALIASES['auth-callback-alias']])
    app.get(path, { config: { loadShedding: true, faultPage } }, page)
}

async function send(
  reply: FastifyReply,
  { status, headers, document }: KeptPage,
  accepted: string | undefined,
): Promise<FastifyReply> {
  reply.status(status)
  for (const [name, value] of headers) reply.header(name, value)
  if (document.body.length === 0) return reply.send()
  const encoding = encodingOf(accepted)
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  return reply.send(await document.in(encoding))
}

function faultPage(request: FastifyRequest, status: number): string {
  // Uses the default languages, because reading the storefront's configuration may have caused the failure.
  return barePage(languageOfPage(languageWish(request), DEFAULT_CONFIGURATION.languages), status)
}

/**
 * Returns whether a request has no account cookie, so that it gets the page of a viewer who is not signed in. This
 * page depends only on its address, its environment, its layout and the configuration. Other cookies, such as those
 * of analytics, do not change the page.
 */
function isAnybody({ cookies }: FastifyRequest): boolean {
  return cookies[CARRIERS.account.cookie] === undefined
}

/**
 * Length of a shuffle period, in milliseconds. Visits that begin in the same period get the same shuffle, so that
 * they can share cached pages.
 */
const SHUFFLE_MS = 3600_000

/**
 * Returns the shuffle of this visit: the seed of the random order of lists. A cookie keeps it until the browser
 * closes (V3-54).
 */
function shuffleOf(request: FastifyRequest, now: number): number {
  const known = Number(request.cookies[VISIT_COOKIE] ?? Number.NaN)
  if (Number.isInteger(known) && known >= 0 && known < SHUFFLES) return known
  return Math.floor(now / SHUFFLE_MS) % SHUFFLES
}

/**
 * Returns the function that a page makes its calls with. The calls have the identity of the request for the page,
 * and are no HTTP requests.
 */
function callsOf(inside: AnswerInside, page: { request: FastifyRequest; reply: FastifyReply }): ApiFetch {
  return async ({ fields, identityKey, ...call }) => {
    const { status, envelope } = await inside(
      { ...call, fields: Object.fromEntries(fields), apiKey: identityKey },
      page,
    )
    return { status, ok: status < 300, json: async () => envelope }
  }
}

/** Returns an anonymous request for an address, in the form that the web application expects. */
function asRequest(url: string, origin: string, init: RequestInit = {}): Request {
  const headers = new Headers(init.headers)
  // All addresses here are pages, whatever the client accepts.
  headers.set('accept', 'text/html')
  const site = origin === '' ? 'http://localhost' : origin
  // `new URL` would take a path that begins with two slashes for another host. It is a path of this site that does
  // not exist.
  return new Request(new URL(url.startsWith('/') ? site + url : url, site), { ...init, headers })
}

/** Returns the original request, for the web application. It is aborted when its connection closes early. */
function asOwnRequest(request: FastifyRequest, reply: FastifyReply, origin: string): Request {
  const ended = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) ended.abort()
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value)
  }
  return asRequest(request.url, origin, { method: request.method, headers, signal: ended.signal })
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(url.split('?', 2)[1])
}

/** How long a browser keeps its layout cookie, in seconds. */
const LAYOUT_SECONDS = 31_536_000

/** Stores in a cookie whether this browser has the layout of a television. */
function rememberLayout(reply: FastifyReply, value: string): void {
  reply.setCookie(TELEVISION_COOKIE, value, {
    sameSite: 'lax',
    secure: reply.request.isOverHttps,
    path: '/',
    maxAge: LAYOUT_SECONDS,
  })
}

function languageWish(request: FastifyRequest): LanguageWish {
  const [pathname = '/'] = request.url.split('?', 1)
  return {
    pathname,
    asked: queryOf(request).get('language'),
    cookie: request.cookies.language,
    accepted: request.headers['accept-language'],
  }
}

function timeZoneOf(request: FastifyRequest, otherwise: string): string {
  const zone = request.cookies.timezone
  return zone !== undefined && isTimeZone(zone) ? zone : otherwise
}

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z0-9_+/-]{1,64}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response as PlaywrightResponse,
  type Request,
} from 'playwright-core'
import { openBlank } from './reused-contexts.ts'

/**
 * Blink's settings for a finger as the only pointer, as Blink's enum values. Playwright's touch emulation is not
 * enough, because it ends while a screenshot of a whole page is taken.
 */
const FINGER = 'availableHoverTypes=1,availablePointerTypes=2,primaryHoverType=1,primaryPointerType=2'

/**
 * Launches Debian's Chromium with software rendering and without Chromium's own network services. Uses the
 * headless shell, which has no window controls. A full browser takes three times the processor time, most of it
 * for an invisible toolbar.
 * @param options.touch whether all pages of the browser are on a touch screen
 */
export async function launchBrowser({ touch = false } = {}): Promise<Browser> {
  return await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      // Pages of the app have another origin, and call the service of the tests on this machine.
      '--disable-features=LocalNetworkAccessChecks',
      // A reused context keeps its process, and with it the compiled scripts of the application.
      '--renderer-process-limit=1',
      '--disable-site-isolation-trials',
      '--autoplay-policy=no-user-gesture-required',
      ...(touch ? [`--blink-settings=${FINGER}`] : []),
    ],
  })
}

/** Context options for pages with full motion. {@link openPage} prefers reduced motion by default. */
export const MOVING = { reducedMotion: 'no-preference' } as const

/** A page, and the faults that were recorded on this page. */
export interface WatchedPage {
  page: Page
  /** Console messages of any kind, uncaught errors, cancelled requests, and requests that failed or answered 4xx or 5xx. */
  complaints: string[]
}

/** Slowdown of pages: `ONDINE_E2E_CPU_RATE=3` runs tests as on a slower machine. */
const CPU_RATE = Number(process.env.ONDINE_E2E_CPU_RATE ?? 1)

/**
 * Opens a page in a context without cookies and stored data, and records its console messages. The page prefers
 * reduced motion, because the processor draws every frame of an animation here. Pass {@link MOVING} for full motion.
 */
export async function openPage(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const page = await openBlank(browser, {
    baseURL,
    viewport: { width: 1280, height: 720 },
    locale: 'fr-FR',
    reducedMotion: 'reduce',
    ...options,
  })
  if (CPU_RATE > 1) {
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  }
  return { page, complaints: watch(page) }
}

/**
 * Chromium's warning about a preload that a page does not use within some seconds. The page preloads its texts,
 * and the application uses them when it starts. So for texts, the warning only shows that the machine is slow.
 */
const WORDS_WAIT = /\/translations\/\S+ was preloaded using link preload but not used/

/**
 * Types of requests that a page must not cancel. A page may cancel requests for pictures and media when the viewer
 * leaves the page.
 */
const NEEDED: readonly string[] = ['fetch', 'xhr', 'script', 'stylesheet']

/** Paths of streams. After a seek, the player cancels requests for segments that it no longer needs. */
const PLAYS = /^\/(?:play|media)\//

/**
 * Returns whether a page cancelled a request itself. Other failed requests appear in the console. When a test
 * aborts a request, the error text differs.
 */
function wasGivenUp(request: Request): boolean {
  return (
    request.failure()?.errorText === 'net::ERR_ABORTED' &&
    NEEDED.includes(request.resourceType()) &&
    !PLAYS.test(new URL(request.url()).pathname)
  )
}

/** Answers the calls of an operation with nothing, until the function that this returns is called. */
export async function silence(page: Page, { path }: { path: string }): Promise<() => Promise<void>> {
  await page.route(`**${path}`, (route) => route.fulfill({ body: '' }))
  return async () => await page.unrouteAll({ behavior: 'wait' })
}

/** Listens to a page from now on. @returns the list of complaints, see {@link WatchedPage} */
export function watch(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!WORDS_WAIT.test(message.text())) complaints.push(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  // Chromium cancels the pending requests of a document when a new document replaces it. Such a request does not
  // count as a complaint.
  let isLeaving = false
  page.on('request', (request) => {
    if (request.isNavigationRequest()) isLeaving = true
  })
  page.on('domcontentloaded', () => {
    isLeaving = false
  })
  page.on('requestfailed', (request) => {
    if (!isLeaving && wasGivenUp(request)) complaints.push(`given up: ${request.url()}`)
  })
  page.on('response', (response) => {
    if (response.status() < 400) return
    const asked = response.request().postData()
    complaints.push([response.status(), response.url(), asked].filter(Boolean).join(' '))
  })
  return complaints
}

/**
 * Waits until a page is hydrated. Before, controls do nothing, and links load a new document. The shell around a
 * screen hydrates first, and sets its own mark or React's properties. The screen hydrates later, piece by piece.
 * Its hydration is complete when the heading and all controls have React's properties.
 */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const isAlive = (element: Element) => Object.keys(element).some((key) => key.startsWith('__reactProps'))
    const loader = document.querySelector<HTMLElement>('[data-global-loader]')
    const main = document.querySelector('main')
    if (main === null || !isAlive(main) || loader?.dataset.busy === 'true') return false
    return [...main.querySelectorAll('h1, a, button, input, select, textarea, [tabindex]')].every(isAlive)
  })
}

/** Opens an address, and waits until the page is hydrated, so that the page handles the first press. */
export async function visit(
  page: Page,
  address: string,
  options: Parameters<Page['goto']>[1] = {},
): Promise<PlaywrightResponse | null> {
  const response = await page.goto(address, options)
  await alive(page)
  return response
}

/** Signs in to a demonstration account through the API. The page's browser gets the cookies. */
export async function signIn(page: Page, username: string, password = 'Ondine-2026!'): Promise<void> {
  const response = await page.request.post('/oauth/token', {
    form: { username, password, grant_type: 'password' },
    headers: { 'x-identity-key': 'demo' },
  })
  if (!response.ok()) throw new Error(`Signing in failed: ${await response.text()}`)
}

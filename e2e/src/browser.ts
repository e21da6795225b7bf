import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response as PlaywrightResponse,
  type Request,
} from 'playwright-core'

/**
 * Debian's Chromium, in software, with nothing of its own on the network. The shell without a window's parts: opening a page in
 * the browser itself takes three times the processor, most of it for a toolbar that nobody sees.
 */
export async function launchBrowser(): Promise<Browser> {
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
      '--autoplay-policy=no-user-gesture-required',
    ],
  })
}

/** A page, and everything that went wrong on it. */
export interface WatchedPage {
  page: Page
  /** Console messages of any kind, uncaught errors, requests that were given up, and those that failed or answered 4xx and 5xx. */
  complaints: string[]
}

/** How many times slower pages run than the machine could: `ONDINE_E2E_CPU_RATE=3` tries tests as on a slower one. */
const CPU_RATE = Number(process.env.ONDINE_E2E_CPU_RATE ?? 1)

/** Opens a page in a context of its own, and listens to its console. */
export async function openPage(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({
    baseURL,
    viewport: { width: 1280, height: 720 },
    locale: 'fr-FR',
    ...options,
  })
  const page = await context.newPage()
  if (CPU_RATE > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_RATE })
  }
  return { page, complaints: watch(page) }
}

/**
 * Chromium's word on a preload that nothing has taken yet some seconds after the page was loaded. Where the words of a page are
 * concerned it says how slow the machine is: the page fetches them ahead, and the application takes them as it begins.
 */
const WORDS_WAIT = /\/translations\/\S+ was preloaded using link preload but not used/

/** Kinds of requests that a page needs the answers of. Pictures and media of what is left may be given up. */
const NEEDED: readonly string[] = ['fetch', 'xhr', 'script', 'stylesheet']

/** Addresses of what plays: the player gives up what a seek has made useless. */
const PLAYS = /^\/(?:play|media)\//

/**
 * Whether a page gave up a request itself. Other failures stand on the console already. A test that fails a request on purpose
 * has it refused, which is another failure.
 */
function wasGivenUp(request: Request): boolean {
  return (
    request.failure()?.errorText === 'net::ERR_ABORTED' &&
    NEEDED.includes(request.resourceType()) &&
    !PLAYS.test(new URL(request.url()).pathname)
  )
}

/** Listens to a page from now on. @returns the list that its complaints are added to, see {@link WatchedPage} */
export function watch(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (!WORDS_WAIT.test(message.text())) complaints.push(`console ${message.type()}: ${message.text()}`)
  })
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  // The browser itself gives up what a document was waiting for when another document takes its place.
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
 * Waits until a page is alive: what the server has drawn does nothing yet, and its links leave the page. What stands around a
 * screen says so itself, or bears React's mark; the screen comes alive later than that, piece by piece, and bears the mark
 * on all that can be pressed and on its heading.
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

/**
 * Closes a context, also when something fails: what it asks for is answered no more, and a handler of a route that still waits
 * for its answer has nothing to say of that.
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' })
  await context.close()
}

/** Goes to an address and waits until its page is alive, so that the first press counts. */
export async function visit(
  page: Page,
  address: string,
  options: Parameters<Page['goto']>[1] = {},
): Promise<PlaywrightResponse | null> {
  const response = await page.goto(address, options)
  await alive(page)
  return response
}

/** Signs a page's browser in, by the API, as a demonstration account. */
export async function signIn(page: Page, username: string, password = 'Ondine-2026!'): Promise<void> {
  const response = await page.request.post('/oauth/token', {
    form: { username, password, grant_type: 'password' },
    headers: { 'x-identity-key': 'demo' },
  })
  if (!response.ok()) throw new Error(`Signing in failed: ${await response.text()}`)
}

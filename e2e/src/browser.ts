import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Response as PlaywrightResponse,
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
  /** Console messages of any kind, uncaught errors, and requests that failed or answered 4xx and 5xx. */
  complaints: string[]
}

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
  return { page, complaints: watch(page) }
}

/** Listens to a page from now on. @returns the list that its complaints are added to, see {@link WatchedPage} */
export function watch(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(`console ${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  return complaints
}

/**
 * Waits until a page is alive: what the server has drawn does nothing yet, and its links leave the page. Screens with the
 * shell say so themselves; on the others React marks what it has brought alive.
 */
export async function alive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const loader = document.querySelector<HTMLElement>('[data-global-loader]')
    if (loader !== null) return loader.dataset.busy === 'false'
    const main = document.querySelector('main')
    return main !== null && Object.keys(main).length > 0
  })
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

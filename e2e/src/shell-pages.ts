import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchBrowser, openPage, signIn, visit, type WatchedPage } from './browser.ts'
import { Operator } from './operator.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

/** Emulation of a phone. */
export const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }

/** A script that makes a page believe that it runs in the native app. */
export const NATIVE = 'window.Capacitor = { isNativePlatform: () => true }'

/** Options of an opened page: its user, and its browser context. */
export type Opening = BrowserContextOptions & {
  user?: string
  /** Password of the user; by default the password of the demonstration accounts. */
  password?: string
  language?: 'fra' | 'eng'
  /** Script that runs before the page's own scripts. */
  script?: string
}

/**
 * Provides pages and an operator for the tests of the shell in a file. After each test, closes its pages and undoes
 * what the operator changed.
 */
export function shellPages() {
  const { origin, dataDir } = sharedService()
  const open: WatchedPage[] = []
  let browser: Browser
  let made: Operator
  let configured: Record<string, unknown>

  beforeAll(async () => {
    browser = await launchBrowser()
    made = await Operator.create(origin, dataDir, 'demo')
    configured = await made.configured()
  })
  afterEach(async () => {
    await Promise.all(open.splice(0).map(async ({ page }) => await closeContext(page.context())))
    await made.replace(configured)
    await made.publish({})
  })
  afterAll(async () => await browser.close())

  const operator: Pick<Operator, 'set' | 'publish'> = {
    set: async (values) => await made.set(values),
    publish: async (menus) => await made.publish(menus),
  }

  /** Opens a separate page at `path`. */
  async function opened(
    path: string,
    { user, password, language, script, ...context }: Opening = {},
  ): Promise<Page> {
    const watched = await openPage(browser, origin, context)
    open.push(watched)
    const { page } = watched
    if (script !== undefined) await page.addInitScript(script)
    if (language !== undefined)
      await page.context().addCookies([{ name: 'language', value: language, url: origin }])
    if (user !== undefined) await signIn(page, user, password)
    await visit(page, path)
    return page
  }

  return { origin, operator, opened }
}

/** Returns the bar at the top of a page. */
export const bar = (page: Page) => page.getByRole('banner')

/** Returns the path of a page. */
export const path = (page: Page) => new URL(page.url()).pathname

/** Makes an entry of a menu as operators publish it. */
export const entry = (
  title: string,
  reference: string,
  content: { title: string; reference: string }[] = [],
) => ({
  title,
  reference,
  image: '',
  content: content.map((link, index) => ({ ...link, id: String(index), image: '' })),
})

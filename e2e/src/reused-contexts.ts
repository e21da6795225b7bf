import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'

/** A blank page in a context without cookies and stored data. `key` is the context's options as text. */
interface Blank {
  key: string
  page: Page
}

/**
 * The unused contexts of each browser. They keep the files of the application in Chromium's HTTP cache, and the
 * compiled scripts in their process, so that the load of a page takes a quarter less processor time.
 */
const blanks = new WeakMap<Browser, Blank[]>()

/** Options of each context, as text, and the globals of its first page. A context that is not here is never reused. */
const made = new WeakMap<BrowserContext, { key: string; globals: ReadonlySet<string> }>()

/** Most unused contexts of a browser. Each has a process of its own. */
const MOST_BLANKS = 4

/**
 * Opens a blank page in a context with `options` and without cookies and stored data. The context may have served an
 * earlier test.
 */
export async function openBlank(
  browser: Browser,
  { viewport, storageState, permissions, ...options }: BrowserContextOptions,
): Promise<Page> {
  const key = JSON.stringify(options)
  const unused = unusedOf(browser)
  const found = unused.findIndex((each) => each.key === key)
  const page = unused.splice(found, found < 0 ? 0 : 1)[0]?.page ?? (await newContext(browser, options, key))
  if (viewport) await page.setViewportSize(viewport)
  if (storageState !== undefined) await page.context().setStorageState(storageState)
  if (permissions) await page.context().grantPermissions(permissions)
  return page
}

function unusedOf(browser: Browser): Blank[] {
  const unused = blanks.get(browser) ?? []
  blanks.set(browser, unused)
  return unused
}

async function newContext(browser: Browser, options: BrowserContextOptions, key: string): Promise<Page> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  made.set(context, { key, globals: new Set(await globalsOf(page)) })
  return page
}

/**
 * Closes the pages of a context, also after a failure. Pending requests get no answer. Errors of route handlers that
 * still run are ignored. The context is cleared and can be reused, with two exceptions. A global that a test has added,
 * such as an installed clock, applies to every page of the context and cannot be removed. A service worker outlives its
 * registration.
 */
export async function closeContext(context: BrowserContext): Promise<void> {
  const browser = context.browser()
  const known = made.get(context)
  const unused = browser ? unusedOf(browser) : []
  if (unused.some(({ page }) => page.context() === context)) return
  const pages = context.pages()
  await context.unrouteAll({ behavior: 'ignoreErrors' })
  for (const page of pages) await page.unrouteAll({ behavior: 'ignoreErrors' })
  if (browser === null || known === undefined) {
    await context.close()
    return
  }
  const page = await context.newPage()
  await Promise.all(pages.map(async (each) => await each.close()))
  await context.setOffline(false)
  const isChanged = (await globalsOf(page)).some((name) => !known.globals.has(name))
  if (isChanged || context.serviceWorkers().length > 0) {
    await context.close()
    return
  }
  const session = await context.newCDPSession(page)
  await session.send('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
  await session.detach()
  await context.clearCookies()
  await context.clearPermissions()
  unused.push({ key: known.key, page })
  if (unused.length > MOST_BLANKS) await unused.shift()?.page.context().close()
}

/** Returns the names of a page's globals. */
async function globalsOf(page: Page): Promise<string[]> {
  return await page.evaluate(() => Object.getOwnPropertyNames(window))
}

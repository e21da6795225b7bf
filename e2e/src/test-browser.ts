import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { closeContext, launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { Operator } from './operator.ts'
import { sharedService } from './shared-service.ts'

/** A browser for the tests of a file, on the service that they share: nothing that one has open is there for the next. */
export function testBrowser(): (options?: BrowserContextOptions) => Promise<WatchedPage> {
  let browser: Browser
  const { origin } = sharedService()
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map(closeContext))
  })
  afterAll(async () => await browser.close())
  return async (options) => await openPage(browser, origin, options)
}

/** What an operator of the demonstration sets for a test, until it ends. */
export function testConfiguration(): (values: Record<string, unknown>) => Promise<void> {
  let operator: Operator
  let configured: Record<string, unknown>
  const { origin, dataDir } = sharedService()
  beforeAll(async () => {
    operator = await Operator.create(origin, dataDir, 'demo')
    configured = await operator.configured()
  })
  afterEach(async () => await operator.replace(configured))
  return async (values) => await operator.set(values)
}

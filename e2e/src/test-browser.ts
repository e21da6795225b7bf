import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchBrowser, openPage, type WatchedPage } from './browser.ts'
import { Operator } from './operator.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

/**
 * Provides a function that opens a page of the shared service in a separate context. The tests of a file share the
 * browser.
 */
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

/**
 * Provides a function that sets fields of the demonstration's configuration. The fields are restored after each
 * test.
 */
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

import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage } from './browser.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

describe('contexts that serve several tests', () => {
  const { origin } = sharedService()
  let browser: Browser

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  const opened = async (options = {}) => (await openPage(browser, origin, options)).page

  it('are reused without cookies, stored data, routes and permissions, and online', async () => {
    const first = await opened({ permissions: ['notifications'] })
    await first.goto('/readyz')
    await first.evaluate(async () => {
      localStorage.setItem('kept', '1')
      document.cookie = 'kept=1'
      await caches.open('kept')
      await new Promise((resolve) => indexedDB.open('kept').addEventListener('success', resolve))
    })
    const entries = await first.evaluate(() => history.length)
    const context = first.context()
    await context.route('**', (route) => route.abort())
    await context.setOffline(true)
    await closeContext(context)

    const second = await opened({ viewport: { width: 360, height: 740 } })
    expect(second.context()).toBe(context)
    await second.goto('/readyz')
    const found = await second.evaluate(async () => ({
      stored: localStorage.length,
      cookie: document.cookie,
      caches: await caches.keys(),
      databases: await indexedDB.databases(),
      notifications: Notification.permission,
      width: innerWidth,
      entries: history.length,
    }))
    expect(found).toEqual({
      stored: 0,
      cookie: '',
      caches: [],
      databases: [],
      notifications: 'denied',
      width: 360,
      entries,
    })
    await closeContext(context)
  })

  it('are reused with the cookies that the options name', async () => {
    const cookie = { name: 'timezone', value: 'Asia/Tokyo', domain: new URL(origin).hostname, path: '/' }
    const state = { ...cookie, expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' as const }
    const options = { storageState: { cookies: [state], origins: [] } }
    const first = await opened(options)
    await closeContext(first.context())
    const second = await opened(options)
    expect(second.context()).toBe(first.context())
    expect(await second.context().cookies()).toMatchObject([cookie])
    await closeContext(second.context())
  })

  it('are not reused with other options, nor with a clock that a test has installed or a service worker', async () => {
    const french = await opened()
    const context = french.context()
    await closeContext(context)
    const english = await opened({ locale: 'en-GB' })
    expect(english.context()).not.toBe(context)
    await closeContext(english.context())

    const timed = await opened()
    expect(timed.context()).toBe(context)
    await timed.clock.install()
    await closeContext(timed.context())
    expect(browser.contexts()).not.toContain(context)

    const worked = await opened()
    await worked.goto('/readyz')
    await worked.evaluate(async () => void (await navigator.serviceWorker.register('/service-worker.js')))
    await expect.poll(() => worked.context().serviceWorkers().length).toBe(1)
    await closeContext(worked.context())
    expect(browser.contexts()).not.toContain(worked.context())
  })
})

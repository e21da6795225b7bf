import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { alive, launchBrowser, openPage } from './browser.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'

/** Budget of home's JavaScript before hydration, compressed, in bytes. */
const BUDGET = 185_000

/** Largest number of files. Each file costs a round trip on a slow network. */
const MOST_FILES = 4

describe('the first load of home', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  it('loads its scripts within the budget, without the player and the schema library', async () => {
    const home = await (await fetch(origin)).text()
    const scripts = [...new Set(home.match(/\/assets\/[\w.-]+\.js/g))]
    expect(scripts.length).toBeGreaterThan(1)
    expect(scripts.length).toBeLessThanOrEqual(MOST_FILES)
    let bytes = 0
    for (const script of scripts) {
      // Reads the compressed length from the header, because `fetch` decompresses a body.
      const head = await fetch(origin + script, { method: 'HEAD', headers: { 'accept-encoding': 'br' } })
      expect(head.status, script).toBe(200)
      bytes += Number(head.headers.get('content-length'))
      const code = await (await fetch(origin + script)).text()
      expect(code, `${script} holds zod`).not.toMatch(/ZodError|_zod/)
      expect(code, `${script} holds Shaka`).not.toContain('shaka.log')
    }
    expect(bytes).toBeGreaterThan(20_000)
    expect(bytes).toBeLessThan(BUDGET)
  })

  it('loads the large picture and the fonts before any script, and fetches no styles', async () => {
    const { page, complaints } = await openPage(browser, origin, { viewport: { width: 412, height: 823 } })
    const kinds: string[] = []
    const styles: string[] = []
    page.on('request', (request) => {
      kinds.push(request.resourceType())
      if (request.resourceType() === 'stylesheet') styles.push(request.url())
    })
    await page.goto('/', { waitUntil: 'commit' })
    await alive(page)
    const first = kinds.slice(0, kinds.indexOf('script'))
    expect(first).toContain('image')
    expect(first).toContain('font')
    // The style sheets of the first screens must be inlined, not fetched. Prefetched screens may fetch other style
    // sheets.
    expect(styles.filter((url) => /\/(?:index|first)-/.test(url))).toEqual([])
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('starts without its large picture when that does not load', async () => {
    const { page } = await openPage(browser, origin)
    // Leaves the requests pending: they neither succeed nor fail.
    await page.route('**/images/**', () => undefined)
    await page.goto('/', { waitUntil: 'commit' })
    await alive(page)
    await closeContext(page.context())
  })
})

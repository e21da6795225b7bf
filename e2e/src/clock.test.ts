import { epg, listChannels } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SLEPT = 5 * MINUTE

/** How far a bar may be off, in seconds of its programme: it moves each second, and tests take their time. */
const TOLERANCE_SECONDS = 2.5

/** What is shown now is right by the service's time, whatever the browser's clock says and does. */
describe('the clock of a page', () => {
  let browser: Browser
  let channel: Channel
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
    const [first] = await call(origin, listChannels, {})
    if (first === undefined) throw new Error('There are no channels.')
    channel = first
  })
  afterAll(async () => await browser.close())

  /** The service's time, in milliseconds. */
  async function serviceTime(): Promise<number> {
    return Date.parse(await (await fetch(`${origin}/time`)).text())
  }

  /** What is on at a time of the service, in milliseconds. */
  async function onAt(time: number): Promise<Programme> {
    const start = Math.floor(time / 1000) - 3600
    const guide = await call(origin, epg, { start, offset: 0, hours: 2, channelIds: [channel.id] })
    const found = guide[`chan_${channel.id}`]?.find(
      ({ startutc, endutc }) => startutc <= time / 1000 && time / 1000 < endutc,
    )
    if (found === undefined) throw new Error('Nothing is on.')
    return found
  }

  /** A channel's page in a browser whose clock is `wrong` by so many milliseconds. */
  async function open(wrong: number): Promise<Page> {
    const { page } = await openPage(browser, origin)
    await page.clock.install({ time: Date.now() + wrong })
    await visit(page, channel.detailRoute)
    await bar(page).waitFor()
    return page
  }

  const bar = (page: Page) => page.getByRole('main').getByRole('progressbar').first()

  /** By how many seconds the bar of a page is away from what is so; `ahead` is how far the world has moved on. */
  async function error(page: Page, ahead = 0): Promise<number> {
    const before = await serviceTime()
    const shown = Number(await bar(page).getAttribute('aria-valuenow'))
    const now = ((await serviceTime()) + before) / 2 + ahead
    const { startutc, endutc } = await onAt(now)
    const length = endutc - startutc
    const seconds = Math.abs((shown / 100) * length - (now / 1000 - startutc))
    // Around the change from one programme to the next, the end of one is the beginning of the other.
    return Math.min(seconds, Math.abs(length - seconds))
  }

  async function isRight(page: Page, ahead = 0): Promise<void> {
    await expect
      .poll(async () => await error(page, ahead), { timeout: 10_000 })
      .toBeLessThan(TOLERANCE_SECONDS)
  }

  it.each([
    ['ten minutes fast', 10 * MINUTE],
    ['ten minutes slow', -10 * MINUTE],
    ['years behind', -4 * 365 * 24 * HOUR],
  ])('V3-28 shows what is on in a browser whose clock is %s', async (_, wrong) => {
    const page = await open(wrong)
    await isRight(page)
    await page.context().close()
  })

  it('V3-28 is right again after a laptop slept: what is on is that of the time at which it woke', async () => {
    const page = await open(0)
    await isRight(page)
    // The world goes on, as far as this page can tell. While a library is new, its channels are planned ten minutes ahead.
    await page.route('**/time', async (route) => {
      await route.fulfill({
        contentType: 'text/plain',
        body: new Date((await serviceTime()) + SLEPT).toISOString(),
      })
    })
    await page.clock.fastForward(SLEPT)
    await isRight(page, SLEPT)
    await page.context().close()
  })

  it('V3-28 is not misled when somebody sets the clock while the page is open', async () => {
    const page = await open(0)
    for (const jump of [5 * HOUR, -9 * HOUR]) {
      await page.clock.setSystemTime(Date.now() + jump)
      await isRight(page)
    }
    await page.context().close()
  })

  it('V3-28 changes from one programme to the next in the same second everywhere', async () => {
    const pages = [await open(0), await open(10 * MINUTE), await open(-10 * MINUTE)]
    // When each of them fell back to the beginning, by this machine's clock.
    const changes = pages.map((): number[] => [])
    for (const [index, page] of pages.entries()) {
      await isRight(page)
      await page.exposeFunction('fellBack', () => changes[index]?.push(Date.now()))
      await bar(page).evaluate((element) => {
        const shown = () => Number(element.getAttribute('aria-valuenow'))
        let last = shown()
        new MutationObserver(() => {
          if (shown() < last) Reflect.get(globalThis, 'fellBack')()
          last = shown()
        }).observe(element, { attributes: true })
      })
    }
    // The first change after all of them were looked at, and the one after it.
    const from = Date.now()
    const later = () => changes.map((times) => times.filter((time) => time > from))
    await expect
      .poll(() => Math.min(...later().map(({ length }) => length)), { timeout: 120_000 })
      .toBeGreaterThan(1)
    for (const count of [0, 1]) {
      const times = later().map((each) => each[count] ?? 0)
      expect(Math.max(...times) - Math.min(...times)).toBeLessThan(1500)
    }
    for (const page of pages) await page.context().close()
  })

  it('V3-28 a rail of what is on changes by itself when a programme ends', async () => {
    const { page } = await openPage(browser, origin)
    await page.clock.install({ time: Date.now() + 10 * MINUTE })
    await visit(page, '/')
    const card = page.getByRole('main').locator(`a[href="${channel.detailRoute}"]`).first()
    await card.scrollIntoViewIfNeeded()
    const { endutc } = await onAt(await serviceTime())
    const next = await onAt(endutc * 1000 + 500)
    await expect
      .poll(async () => (await serviceTime()) / 1000 >= endutc && ((await card.textContent()) ?? ''), {
        timeout: 60_000,
      })
      .toContain(next.title)
    await page.context().close()
  })
})

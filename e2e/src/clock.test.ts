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

/** How far a bar may be off, in seconds of its programme: it shows whole seconds. */
const TOLERANCE_SECONDS = 1
/** A page is stopped so much ahead: by then it has certainly been told to. */
const AHEAD = 20_000

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

  /**
   * Stops the clocks of a page, so that it matters no more how long anything takes; they go on by `page.clock.runFor`.
   *
   * @param wrong how wrong the browser's clock is, in milliseconds
   * @returns what the service's time is then, in the middle of a second
   */
  async function stop(page: Page, wrong = 0): Promise<number> {
    const at = Math.ceil((await serviceTime()) / 1000) * 1000 + AHEAD + 500
    await pauseAt(page, at, wrong)
    return at
  }

  /** Stops the clocks of a page at a time of the service, which the service tells it from then on: it may be asking just then. */
  async function pauseAt(page: Page, time: number, wrong: number): Promise<void> {
    await page.route('**/time', async (route) => {
      await route.fulfill({ contentType: 'text/plain', body: new Date(time).toISOString() })
    })
    await page.clock.pauseAt(time + wrong)
  }

  /** By how many seconds the bar of a page is away from what is so at a time of the service. */
  async function error(page: Page, time: number): Promise<number> {
    const shown = Number(await bar(page).getAttribute('aria-valuenow'))
    const { startutc, endutc } = await onAt(time)
    const length = endutc - startutc
    const seconds = Math.abs((shown / 100) * length - (time / 1000 - startutc))
    // Around the change from one programme to the next, the end of one is the beginning of the other.
    return Math.min(seconds, Math.abs(length - seconds))
  }

  async function isRight(page: Page, time: number): Promise<void> {
    await expect.poll(async () => await error(page, time)).toBeLessThan(TOLERANCE_SECONDS)
  }

  it.each([
    ['ten minutes fast', 10 * MINUTE],
    ['ten minutes slow', -10 * MINUTE],
    ['years behind', -4 * 365 * 24 * HOUR],
  ])('V3-28 shows what is on in a browser whose clock is %s', async (_, wrong) => {
    const page = await open(wrong)
    await isRight(page, await stop(page, wrong))
    await page.context().close()
  })

  it.each([
    ['stood still', false],
    ['went on', true],
  ])(
    'V3-28 is right within a second of its own time after a laptop slept whose steady clock %s',
    async (_, wentOn) => {
      const page = await open(0)
      const slept = (await stop(page)) + SLEPT
      // The world has gone on, as far as this page can tell. While a library is new, its channels are planned ten minutes ahead.
      await page.route('**/time', async (route) => {
        await route.fulfill({ contentType: 'text/plain', body: new Date(slept + 1000).toISOString() })
      })
      if (wentOn) await page.clock.fastForward(SLEPT)
      else await page.clock.setSystemTime(slept)
      await page.clock.runFor(1000)
      await isRight(page, slept + 1000)
      await page.context().close()
    },
  )

  it('V3-28 is not misled when somebody sets the clock while the page is open', async () => {
    const page = await open(0)
    let time = await stop(page)
    await page.route('**/time', async (route) => {
      await route.fulfill({ contentType: 'text/plain', body: new Date(time).toISOString() })
    })
    for (const jump of [5 * HOUR, -9 * HOUR]) {
      time += 1000
      await page.clock.setSystemTime(Date.now() + jump)
      await page.clock.runFor(1000)
      await isRight(page, time)
    }
    await page.context().close()
  })

  it('V3-28 changes from one programme to the next in the same second everywhere', async () => {
    const wrongs = [0, 10 * MINUTE, -10 * MINUTE]
    const pages = await Promise.all(wrongs.map(async (wrong) => await open(wrong)))
    const { endutc } = await onAt((await serviceTime()) + AHEAD)
    const shown = async () =>
      await Promise.all(pages.map(async (page) => Number(await bar(page).getAttribute('aria-valuenow'))))
    for (const [index, page] of pages.entries()) {
      await pauseAt(page, endutc * 1000 - 500, wrongs[index] ?? 0)
    }
    await expect.poll(async () => Math.min(...(await shown()))).toBeGreaterThan(80)
    for (const page of pages) await page.clock.runFor(1000)
    await expect.poll(async () => Math.max(...(await shown()))).toBeLessThan(20)
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

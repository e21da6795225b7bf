import type { Rail } from '@ondine/contract/catalogue'
import { epg, listChannels } from '@ondine/contract/channels'
import type { Channel, Programme } from '@ondine/contract/entities'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { atNoon } from './guide-view.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const SLEPT = 5 * MINUTE

/** Tolerance of the time that a bar shows, in seconds. */
const TOLERANCE_SECONDS = 1
/** Largest rounding error of a bar, as a fraction of its programme. A bar shows thousandths of the programme. */
const ROUNDING = 1 / 2000
/**
 * Milliseconds between the command that stops a page's clock and the time at which the clock stops. In this time,
 * the command must reach the page.
 */
const AHEAD = 20_000

/** Current times on a page follow the service's time, whatever the browser's clock shows. */
describe('the clock of a page', () => {
  const openPage = testBrowser()
  let channel: Channel
  const { origin } = sharedService()

  beforeAll(async () => {
    const [first] = await call(origin, listChannels, {})
    if (first === undefined) throw new Error('There are no channels.')
    channel = first
  })

  /** Returns the service's time, in milliseconds. */
  async function serviceTime(): Promise<number> {
    return Date.parse(await (await fetch(`${origin}/time`)).text())
  }

  /** Returns the programme that is on the air at `time`, in milliseconds of the service's clock. */
  async function onAt(time: number): Promise<Programme> {
    const start = Math.floor(time / 1000) - 3600
    const guide = await call(origin, epg, { start, offset: 0, hours: 2, channelIds: [channel.id] })
    const found = guide[`chan_${channel.id}`]?.find(
      ({ startutc, endutc }) => startutc <= time / 1000 && time / 1000 < endutc,
    )
    if (found === undefined) throw new Error('Nothing is on.')
    return found
  }

  /**
   * Prepares a new page in a browser whose clock is ahead by `wrong` milliseconds. `stopAt(time)` stops the page's
   * clock when the service's clock shows `time`. From then on, only `page.clock.runFor` advances it, so delays no
   * longer matter, and `/time` answers with `time`, or with the value last passed to `tell`. While `stopAt` runs,
   * requests for `/time` wait. `stopAt` then makes the page request the time again, because a slow earlier answer
   * may have given the page a wrong time.
   */
  async function prepare(wrong: number, options?: BrowserContextOptions) {
    const { page } = await openPage(options)
    await page.clock.install({ time: Date.now() + wrong })
    let told: Promise<number | undefined> = Promise.resolve(undefined)
    await page.route('**/time', async (route) => {
      const time = await told
      if (time === undefined) await route.continue()
      else await route.fulfill({ contentType: 'text/plain', body: new Date(time).toISOString() })
    })
    const tell = (time: number) => {
      told = Promise.resolve(time)
    }
    const stopAt = async (time: number) => {
      let stopped: (time: number) => void = () => {}
      told = new Promise((resolve) => {
        stopped = resolve
      })
      await page.clock.pauseAt(time + wrong)
      stopped(time)
      const shownAgain = page.waitForResponse('**/time')
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
      await shownAgain
    }
    return { page, tell, stopAt }
  }

  /** Opens a channel's page in a browser whose clock is ahead by `wrong` milliseconds, see {@link prepare}. */
  async function open(wrong: number) {
    const prepared = await prepare(wrong)
    await visit(prepared.page, channel.detailRoute)
    await bar(prepared.page).waitFor()
    return prepared
  }

  const bar = (page: Page) => page.getByRole('main').getByRole('progressbar').first()

  /** Returns a moment in the future on the service's clock, in the middle of a second. */
  async function soon(): Promise<number> {
    return Math.ceil((await serviceTime()) / 1000) * 1000 + AHEAD + 500
  }

  /**
   * Returns by how many seconds a page's progress bar is wrong when the service's clock shows `time`. The largest rounding
   * error of a bar is subtracted.
   */
  async function error(page: Page, time: number): Promise<number> {
    const shown = Number(await bar(page).getAttribute('aria-valuenow'))
    const { startutc, endutc } = await onAt(time)
    const length = endutc - startutc
    const seconds = Math.abs((shown / 100) * length - (time / 1000 - startutc))
    // At the boundary of two programmes, both a full and an empty bar are right.
    return Math.min(seconds, Math.abs(length - seconds)) - length * ROUNDING
  }

  async function isRight(page: Page, time: number): Promise<void> {
    await expect.poll(async () => await error(page, time)).toBeLessThan(TOLERANCE_SECONDS)
  }

  /**
   * Reads from a page whose clock is stopped. First advances the clock, because the page shows data from the
   * service only after a timer.
   */
  async function running<Found>(page: Page, read: () => Promise<Found>): Promise<Found> {
    await page.clock.runFor(100)
    return await read()
  }

  it.each([
    ['ten minutes fast', 10 * MINUTE],
    ['ten minutes slow', -10 * MINUTE],
    ['years behind', -4 * 365 * 24 * HOUR],
  ])('V3-28 shows the current programme in a browser whose clock is %s', async (_, wrong) => {
    const { page, stopAt } = await open(wrong)
    const time = await soon()
    await stopAt(time)
    await isRight(page, time)
  })

  it.each([
    ['stopped', false],
    ['went on', true],
  ])(
    'V3-28 is right within a second of its own time after the sleep of a laptop whose monotonic clock %s',
    async (_, wentOn) => {
      const { page, tell, stopAt } = await open(0)
      const before = await soon()
      await stopAt(before)
      const slept = before + SLEPT
      // Only this page's clock moves five minutes ahead. The guide contains these minutes, because a new library
      // plans its channels ten minutes ahead.
      tell(slept + 1000)
      if (wentOn) await page.clock.fastForward(SLEPT)
      else await page.clock.setSystemTime(slept)
      await page.clock.runFor(1000)
      await isRight(page, slept + 1000)
    },
  )

  it('V3-28 still shows the right time after somebody sets the clock while the page is open', async () => {
    const { page, tell, stopAt } = await open(0)
    let time = await soon()
    await stopAt(time)
    for (const jump of [5 * HOUR, -9 * HOUR]) {
      time += 1000
      tell(time)
      await page.clock.setSystemTime(Date.now() + jump)
      await page.clock.runFor(1000)
      await isRight(page, time)
    }
  })

  it.each([
    ['a phone', { viewport: { width: 360, height: 740 } }],
    ['a wide screen', { viewport: { width: 1280, height: 720 } }],
  ])(
    'V3-28 a programme begins and ends while its page is open on %s, and nothing on the page moves',
    async (_, options) => {
      const { page, tell, stopAt } = await prepare(0, options)
      const before = await onAt((await serviceTime()) + MINUTE)
      const { id, startutc, endutc } = await onAt(before.endutc * 1000)
      await visit(page, `/epg/x-${id}`)
      const main = page.getByRole('main')
      // When the programme begins, the link beside the share button changes. The button must not move.
      const beside = async () => await main.getByRole('button', { name: /^Partager/ }).boundingBox()
      await main.getByText(/^commence dans /).waitFor()
      await stopAt(startutc * 1000 - 500)
      await main.getByText('commence dans 1 min').waitFor()
      const place = await beside()
      expect(place?.y).toBeGreaterThan(0)
      await main.getByRole('link', { name: /^La chaîne/ }).waitFor()

      tell(startutc * 1000 + 500)
      await page.clock.runFor(1000)
      await main.getByText(/^reste /).waitFor()
      await bar(page).waitFor()
      await main.getByRole('link', { name: /^La chaîne/ }).waitFor({ state: 'hidden' })
      expect(await beside()).toEqual(place)

      tell(endutc * 1000 + 500)
      await page.clock.fastForward((endutc - startutc) * 1000)
      await page.clock.runFor(1000)
      await main.getByText('terminé', { exact: true }).waitFor()
      expect(await beside()).toEqual(place)
    },
  )

  it('V2.1-10 the guide of a channel opens at the current programme, and past ones open above', async () => {
    const { page, stopAt } = await prepare(0, atNoon(origin))
    const { endutc } = await onAt((await serviceTime()) + AHEAD)
    await visit(page, `${channel.detailRoute}/epg`)
    const rows = page.getByRole('main').locator('li[data-state]')
    const isFirst = async () => await rows.first().getAttribute('data-state')
    expect(await isFirst()).toBe('live')
    await stopAt(endutc * 1000 + 500)
    await page.clock.runFor(1000)
    // A programme that ends stays in the list, so that nothing moves under the pointer. The list begins
    // at the current programme again only when the viewer chooses a day.
    await expect.poll(isFirst).toBe('done')
    const days = page.getByRole('navigation', { name: 'Jours' })
    const shown = days.locator('a[aria-current=date]')
    const today = await shown.getAttribute('href')
    const last = await days.getByRole('link').last().getAttribute('href')
    for (const address of [last, today]) {
      await days.locator(`a[href="${address}"]`).click()
      await expect
        .poll(async () => await running(page, async () => await shown.getAttribute('href')))
        .toBe(address)
    }
    await expect.poll(async () => await running(page, isFirst)).toBe('live')

    const earlier = page.getByRole('button', { name: /déjà diffusés?$/ })
    const count = Number.parseInt((await earlier.textContent()) ?? '', 10)
    expect(count).toBeGreaterThan(0)
    await earlier.press('Enter')
    await expect.poll(async () => await running(page, isFirst)).toBe('done')
    expect(await page.getByRole('main').locator('li[data-state="done"]').count()).toBe(count)
    await earlier.press('Enter')
    await expect.poll(async () => await running(page, isFirst)).toBe('live')
  })

  it('V3-28 changes from one programme to the next in the same second everywhere', async () => {
    const wrongs = [0, 10 * MINUTE, -10 * MINUTE]
    const pages = await Promise.all(wrongs.map(async (wrong) => await open(wrong)))
    const { endutc } = await onAt((await serviceTime()) + AHEAD)
    const shown = async () =>
      await Promise.all(pages.map(async ({ page }) => Number(await bar(page).getAttribute('aria-valuenow'))))
    for (const { stopAt } of pages) await stopAt(endutc * 1000 - 500)
    await expect.poll(async () => Math.min(...(await shown()))).toBeGreaterThan(80)
    for (const { page } of pages) await page.clock.runFor(1000)
    await expect.poll(async () => Math.max(...(await shown()))).toBeLessThan(20)
  })

  it('V3-28 a rail of current programmes changes by itself when a programme ends', async () => {
    const { page, tell, stopAt } = await prepare(10 * MINUTE)
    const { endutc, title } = await onAt((await serviceTime()) + AHEAD)
    // A block may follow itself, so the next programme gets a title of its own.
    const next = { ...(await onAt(endutc * 1000 + 500)), title: 'La suite' }
    await visit(page, '/')
    const card = page.getByRole('main').locator(`a[href="${channel.detailRoute}"]`).first()
    await card.scrollIntoViewIfNeeded()
    await stopAt(endutc * 1000 - 500)
    await expect.poll(async () => await card.textContent()).toContain(title)
    // The test cannot move the clock of the service. So it replaces the current programme of this channel by the
    // next one in the answer.
    await page.route('**/proxy/homeContent', async (route) => {
      const response = await route.fetch()
      const { result, ...answer } = (await response.json()) as { result: Rail[] }
      const later = result.map((rail) => ({
        ...rail,
        items: rail.items.map((item) =>
          item.type === 'channel' && item.payload.idChannel === channel.id
            ? { ...item, programme: next }
            : item,
        ),
      }))
      await route.fulfill({ response, json: { ...answer, result: later } })
    })
    tell(endutc * 1000 + 500)
    await page.clock.runFor(1000)
    await expect
      .poll(async () => await running(page, async () => await card.textContent()))
      .toContain(next.title)
  })
})

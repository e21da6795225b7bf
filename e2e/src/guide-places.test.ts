import { listChannels } from '@ondine/contract/channels'
import type { Channel } from '@ondine/contract/entities'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, MOVING, openPage, signIn, visit } from './browser.ts'
import { atNoon, guideScroll, guideView } from './guide-view.ts'
import { runCommand } from './operator.ts'
import { shiftsOf, watchShifts } from './pictures/shifts.ts'
import { closeContext } from './reused-contexts.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

const HOUR = 3_600_000
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }
const WIDE: BrowserContextOptions = { viewport: { width: 1280, height: 720 } }
/** A window that is too low to show all channels of the demonstration. */
const LOW: BrowserContextOptions = { viewport: { width: 1280, height: 460 } }

/**
 * Tests which position the guide shows: its days, in several zones and writing directions, after a midnight, and
 * from its address.
 */
describe('the position of the guide', () => {
  let browser: Browser
  let channels: Channel[]
  const { origin, dataDir } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
    channels = await call(origin, listChannels, {})
  })
  afterAll(async () => await browser.close())

  const grid = (page: Page) => page.locator('[role=grid]')
  /** Returns the distance of the line for now from the left edge of the view, in pixels. */
  const lineAt = async (page: Page) =>
    await guideView(page).evaluate((grid) => {
      // The line is at the middle of the label that shows the time.
      const { left, width } =
        grid.querySelector('thead td')?.getBoundingClientRect() ?? new DOMRect(Number.NaN)
      return Math.round(left + width / 2 - grid.getBoundingClientRect().left)
    })
  /** Returns the hour that the guide's time axis shows for a time. */
  const hourOf = async (page: Page, seconds: number) =>
    await grid(page)
      .locator(`time[datetime="${new Date(seconds * 1000).toISOString()}"]`)
      .innerText()
  const daysOf = (page: Page) => page.locator('nav a[data-day]')
  const today = (page: Page) => page.locator('nav a[data-day]', { hasText: /^Aujourd’hui/ })
  const dateAt = (time: number, timeZone: string) =>
    new Intl.DateTimeFormat('sv', { timeZone }).format(new Date(time))
  const timeAt = (time: number, timeZone: string) =>
    new Intl.DateTimeFormat('sv', { timeZone, hour: '2-digit', minute: '2-digit' }).format(time)

  /** Returns the offset from UTC, in milliseconds. */
  const offsetAt = (time: number, timeZone: string) => {
    const minute = Math.floor(time / 60_000) * 60_000
    return Date.parse(`${dateAt(minute, timeZone)}T${timeAt(minute, timeZone)}Z`) - minute
  }
  /** Returns the beginning of a day of Paris, in milliseconds since the Unix epoch. */
  const midnightInParis = (date: string) => {
    const utc = Date.parse(`${date}T00:00Z`)
    return utc - offsetAt(utc - 2 * HOUR, 'Europe/Paris')
  }

  // Each zone is tested with both addresses: with one on the phone, and with the other on the wide screen.
  it.each([
    ['on a phone, with motion', { ...PHONE, ...MOVING }, 0],
    ['on a wide screen, with reduced motion', WIDE, 1],
  ])(
    'nothing moves when the guide hydrates %s, also in a zone that the service does not know, and with an address that names the position',
    async (_, options, screen) => {
      for (const [zone, timezoneId] of ['Europe/Paris', 'America/New_York', 'Asia/Kathmandu'].entries()) {
        // A new library has programmes only for a short time before and after now, so the test opens the
        // guide near now. The current programme always exists.
        const asked = Date.now() - HOUR / 2
        // Skips a zone whose clocks change about now. A time of day may then occur twice, and the guide may open
        // an hour away from the current programme.
        if (offsetAt(asked - HOUR, timezoneId) !== offsetAt(asked + HOUR, timezoneId)) continue
        const time = encodeURIComponent(timeAt(asked, timezoneId))
        const channel = channels.at(-1)?.idChannel
        const place = `/epg?day=${dateAt(asked, timezoneId)}&time=${time}&channel=${channel}`
        const path = (zone + screen) % 2 === 0 ? '/epg' : place
        const { page, complaints } = await openPage(browser, origin, { ...options, timezoneId })
        await watchShifts(page)
        await visit(page, path)
        await grid(page).locator('td[data-state="live"]').first().waitFor()
        await expect.poll(async () => Math.abs(await guideScroll(page))).toBeGreaterThan(0)
        await expectStill(page, `${path} in ${timezoneId}`)
        expect(complaints).toEqual([])
        await closeContext(page.context())
      }
    },
  )

  it('V9-04 is in its address: day, time, channels and the first of them; a deep link and the way back restore it', async () => {
    const { page, complaints } = await openPage(browser, origin, { ...LOW, ...atNoon(origin) })
    await visit(page, '/epg')
    const entries = await page.evaluate(() => history.length)
    const last = channels.at(-1)
    await guideView(page).evaluate((grid) =>
      grid.scrollTo({ top: grid.scrollHeight, left: grid.scrollLeft - 300 }),
    )
    await page.waitForURL(/channel=\d+/)
    const address = page.url()
    const place = await guideView(page).evaluate(({ scrollTop, scrollLeft }) => ({ scrollTop, scrollLeft }))
    // Moving in the guide adds no entries to the history.
    expect(await page.evaluate(() => history.length)).toBe(entries)
    const isBack = async () => {
      const away = async () => {
        const at = await guideView(page).evaluate(({ scrollTop, scrollLeft }) => ({ scrollTop, scrollLeft }))
        return Math.max(
          Math.abs(at.scrollTop - place.scrollTop) / 60,
          Math.abs(at.scrollLeft - place.scrollLeft) / 40,
        )
      }
      await expect.poll(away).toBeLessThan(1)
    }
    await page
      .getByRole('rowheader', { name: last?.name ?? '' })
      .getByRole('link')
      .click()
    await page.waitForURL(`**${last?.detailRoute}`)
    await page.goBack()
    await page.waitForURL(address)
    await isBack()
    await visit(page, address)
    await isBack()
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it.each(['fra', 'ara'])(
    'a programme that began before the view shows the first letters of its title, however little of it is visible, in %s',
    async (language) => {
      const { page } = await openPage(browser, origin, atNoon(origin))
      try {
        await runCommand(dataDir, 'config set', ['languages.languages', '["fra","eng","ara"]'])
        await page.context().addCookies([{ name: 'language', value: language, url: origin }])
        await visit(page, '/epg')
        await expect.poll(async () => await grid(page).locator('[data-kind="waiting"]').count()).toBe(0)
        await expect.poll(async () => Math.abs(await guideScroll(page))).toBeGreaterThan(0)
        // The shortest current programme that can be pushed against the channels' names. One always exists.
        const start = await grid(page)
          .locator('td[data-state="live"][data-tile], td[data-state="live"] [data-tile]')
          .evaluateAll((tiles) => {
            const wide = tiles.filter((tile) => tile.getBoundingClientRect().width >= 200)
            wide.sort((one, other) => one.getBoundingClientRect().width - other.getBoundingClientRect().width)
            return wide[0]?.getAttribute('data-tile')
          })
        // Finds the tile by its start time. Its index changes, because earlier tiles appear as the view moves.
        const wide = grid(page).locator(`[data-tile="${start}"]`).first()
        /** Returns the visible width of the tile in px, and the distances of the title's first letter from its two sides. */
        const seen = async () =>
          await wide.evaluate((tile) => {
            const names = tile.closest('tr')!.querySelector('th')!.getBoundingClientRect()
            const box = tile.getBoundingClientRect()
            const [from, to] =
              getComputedStyle(tile).direction === 'rtl' ? [box.left, names.left] : [names.right, box.right]
            const letter = document.createRange()
            const title = document.createTreeWalker(tile.querySelector('[dir="auto"]')!, NodeFilter.SHOW_TEXT)
            letter.setStart(title.nextNode()!, 0)
            letter.setEnd(title.currentNode, 1)
            const { left, right } = letter.getBoundingClientRect()
            return { shown: to - from, before: left - from, after: to - right }
          })
        const beyond = (await seen()).shown - 60
        await grid(page).evaluate((table, by) => {
          const left = getComputedStyle(table).direction === 'rtl' ? -by : by
          table.closest('[data-scroll-restoration-id]')!.scrollBy({ left, behavior: 'instant' })
        }, beyond)
        await expect
          .poll(async () => {
            const { shown, before, after } = await seen()
            return { shown: Math.round(shown), hasRoom: before > 0 && after > 0 }
          })
          .toEqual({ shown: 60, hasRoom: true })
      } finally {
        await closeContext(page.context())
        await runCommand(dataDir, 'config unset', ['languages.languages'])
      }
    },
  )

  it('changes to another zone when a traveller looks at it again, and the line for now does not move', async () => {
    const { page } = await openPage(browser, origin, {})
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Europe/Paris' })
    await visit(page, '/epg')
    const line = await lineAt(page)
    const half = Math.floor(Date.now() / 1000 / 1800) * 1800
    const hour = (timeZone: string) => timeAt(half * 1000, timeZone)
    expect(await hourOf(page, half)).toBe(hour('Europe/Paris'))
    await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' })
    await page.evaluate(() => window.dispatchEvent(new Event('focus')))
    await expect.poll(async () => await hourOf(page, half)).toBe(hour('Asia/Tokyo'))
    const earliest = dateAt(Date.now() - HOUR / 60, 'Asia/Tokyo')
    const day = await today(page).getAttribute('data-day')
    expect([earliest, dateAt(Date.now(), 'Asia/Tokyo')]).toContain(day)
    expect(Math.abs((await lineAt(page)) - line)).toBeLessThan(8)
    await closeContext(page.context())
  })

  /** Stops the clocks of a page at a moment on the service's clock. The clocks advance by `page.clock.runFor`. */
  async function stopAt(page: Page, time: () => number): Promise<void> {
    await page.route('**/time', async (route) => {
      await route.fulfill({ contentType: 'text/plain', body: new Date(time()).toISOString() })
    })
    await page.clock.pauseAt(time())
  }

  it('after midnight an open guide has the new day within a second of its own time, and keeps its position', async () => {
    const { page } = await openPage(browser, origin, { timezoneId: 'Europe/Paris' })
    await page.clock.install()
    const opened = Date.now()
    await visit(page, '/epg')
    const before = await guideScroll(page)
    const date = (await today(page).getAttribute('data-day')) ?? ''
    const first = (await daysOf(page).first().getAttribute('data-day')) ?? ''
    expect([opened, Date.now()].map((time) => dateAt(time, 'Europe/Paris'))).toContain(date)
    // 36 hours after midnight is always within the next day, even when today has 23 or 25 hours.
    const tomorrow = dateAt(midnightInParis(date) + 36 * HOUR, 'Europe/Paris')
    const then = midnightInParis(tomorrow) + HOUR
    await stopAt(page, () => then)
    await page.clock.runFor(1000)
    await expect.poll(async () => await today(page).getAttribute('data-day')).toBe(tomorrow)
    // The first day, of 23 to 25 hours, has been dropped, so the distance of the view from the beginning is smaller by
    // the length of that day.
    const next = (await daysOf(page).first().getAttribute('data-day')) ?? ''
    expect(next > first).toBe(true)
    const minutes = (midnightInParis(next) - midnightInParis(first)) / 60_000
    await expect
      .poll(async () => Math.abs(before - (await guideScroll(page)) - minutes * 7.2))
      .toBeLessThan(2)
    await closeContext(page.context())
  })

  it.each([
    ['over midnight, second by second', 500, async (page: Page) => await page.clock.runFor(2500)],
    [
      'on a laptop that slept over midnight, whose monotonic clock stopped',
      200 * 60_000,
      async (page: Page, slept: number) => await page.clock.setSystemTime(slept),
    ],
    [
      'on a laptop that slept over midnight, whose monotonic clock went on',
      200 * 60_000,
      async (page: Page) => await page.clock.fastForward(200 * 60_000),
    ],
  ] as const)(
    'V9-04 a guide left open %s is right within a second of becoming visible: the line, its time and the days',
    async (_what, after, goOn) => {
      const { page } = await openPage(browser, origin, { timezoneId: 'Europe/Paris' })
      await page.clock.install()
      await visit(page, '/epg')
      const date = (await today(page).getAttribute('data-day')) ?? ''
      const tomorrow = dateAt(midnightInParis(date) + 36 * HOUR, 'Europe/Paris')
      const midnight = midnightInParis(tomorrow)
      const label = grid(page).locator('thead td')
      /** Returns the position of the line among the hours, independent of scrolling, in pixels. */
      const line = async () => (await guideScroll(page)) + (await lineAt(page))
      const first = async () => (await daysOf(page).first().getAttribute('data-day')) ?? ''
      // Two seconds before midnight, because a busy machine delays the answer from which the page learns the time.
      let time = midnight - 2500
      await stopAt(page, () => time)
      await page.clock.runFor(500)
      await expect.poll(async () => await label.innerText()).toBe('23:59')
      expect(await today(page).getAttribute('data-day')).toBe(date)
      const [lineBefore, firstBefore] = [await line(), await first()]

      time = midnight + after
      await goOn(page, time)
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      await page.clock.runFor(1000)
      await expect.poll(async () => await label.innerText()).toBe(timeAt(time, 'Europe/Paris'))
      await expect.poll(async () => await today(page).getAttribute('data-day')).toBe(tomorrow)
      const gone = midnightInParis(await first()) - midnightInParis(firstBefore)
      expect(gone).toBeGreaterThan(0)
      // The first day has been dropped, and the line has moved with the time.
      const moved = ((after - gone) / 60_000) * 7.2
      await expect.poll(async () => Math.abs((await line()) - lineBefore - moved)).toBeLessThan(4)
      await closeContext(page.context())
    },
  )

  /** Returns the next change from two to three o'clock in Paris: at one UTC, on the last Sunday of March. */
  function clockChange(): number {
    const year = new Date().getUTCFullYear()
    const [next] = [year, year + 1]
      .map((each) => {
        const last = new Date(Date.UTC(each, 2, 31, 1))
        return last.setUTCDate(31 - last.getUTCDay())
      })
      // Leaves out a change within the next hour. Opening the page takes a while, and the page's clock cannot go
      // back.
      .filter((change) => change > Date.now() + HOUR)
    if (next === undefined) throw new Error('There is no future change of the clocks.')
    return next
  }

  it('during a change of the clocks an open guide shows the new time within a second, and stays on the same day until its midnight', async () => {
    const { page } = await openPage(browser, origin, { timezoneId: 'Europe/Paris' })
    await page.clock.install()
    await visit(page, '/epg')
    const label = page.locator('[role=grid] thead td')
    const change = clockChange()
    const [before, after] = [change, change + 24 * HOUR].map((moment) => dateAt(moment, 'Europe/Paris'))
    let time = change - 10_000
    await stopAt(page, () => time)
    await page.clock.runFor(1000)
    await expect.poll(async () => await label.innerText()).toBe('01:59')
    // The times are far apart. The page treats an answer from the previous time as late, and requests the time
    // again.
    for (const [next, shown, day] of [
      // After this clock change, the page possibly still uses the time that it received when it was opened.
      [change + 5000, '03:00', before],
      // The day of the change has 23 hours.
      [change + 21 * HOUR - 30_000, '23:59', before],
      [change + 21 * HOUR + 5000, '00:00', after],
    ] as const) {
      time = next
      await page.clock.pauseAt(time)
      await page.clock.runFor(1000)
      await expect.poll(async () => await label.innerText()).toBe(shown)
      await expect.poll(async () => await today(page).getAttribute('data-day')).toBe(day)
    }
    await closeContext(page.context())
  })

  it('V9-04 filters the channels, with the filter in its address, also in the server’s page', async () => {
    const { page, complaints } = await openPage(browser, origin, { timezoneId: 'Europe/Paris' })
    await signIn(page, 'subscriber@ondine.test')
    const favourite = channels[1]
    const toggle = async (what: 'add' | 'remove') =>
      await page.request.post(`/proxy/${what}FavoriteChannel`, {
        form: { idChannel: String(favourite?.idChannel) },
        headers: { 'x-identity-key': 'demo' },
      })
    expect((await toggle('add')).status()).toBe(200)
    try {
      const rows = grid(page).getByRole('rowheader')
      await visit(page, '/epg')
      await expect.poll(async () => await rows.count()).toBe(channels.length)
      await page.getByRole('button', { name: /Chaînes affichées/ }).click()
      await page.getByRole('option', { name: 'Ma liste' }).click()
      await page.waitForURL(/[?&]filter=favourites/)
      await expect.poll(async () => await rows.count()).toBe(1)
      await watchShifts(page)
      await visit(page, page.url())
      expect(await rows.count()).toBe(1)
      expect(await rows.innerText()).toContain(favourite?.name)
      await expectStill(page, 'the guide as it was left')
      // With an unknown filter, the guide shows all channels.
      await visit(page, '/epg?filter=nothing')
      await expect.poll(async () => await rows.count()).toBe(channels.length)
      expect(complaints).toEqual([])
    } finally {
      await toggle('remove')
      await closeContext(page.context())
    }
  })

  it('runs from right to left in such a language: later is left, by keys, by steps and in the address', async () => {
    const { page, complaints } = await openPage(browser, origin, atNoon(origin))
    try {
      await runCommand(dataDir, 'config set', ['languages.languages', '["fra","eng","ara"]'])
      await page.context().addCookies([{ name: 'language', value: 'ara', url: origin }])
      await watchShifts(page)
      await visit(page, '/epg')
      expect(await page.locator('html').getAttribute('dir')).toBe('rtl')
      await expect.poll(async () => await guideScroll(page)).toBeLessThan(0)
      await expectStill(page, 'from right to left')
      const names = await grid(page).locator('tbody th').first().boundingBox()
      expect((names?.x ?? 0) + (names?.width ?? 0)).toBeCloseTo(1280, -1)
      expect(await lineAt(page)).toBeGreaterThan(400)
      // Once the first scrolling has ended, the address contains the position too.
      await page.waitForURL(/time=/)
      const at = page.url()
      const before = await guideScroll(page)
      await page.getByRole('button', { name: 'Avancer de 30 minutes' }).click()
      await expect.poll(async () => before - (await guideScroll(page))).toBe(216)
      await page.waitForURL(({ href }) => href !== at)
      const there = await guideScroll(page)
      await visit(page, page.url())
      await expect.poll(async () => Math.abs((await guideScroll(page)) - there)).toBeLessThan(2)
      const tile = grid(page).locator('td[data-state="live"] a[data-tile]').first()
      await tile.focus()
      const start = Number(await tile.getAttribute('data-tile'))
      const focused = grid(page).locator('[data-tile]:focus')
      await page.keyboard.press('ArrowLeft')
      await expect.poll(async () => Number(await focused.getAttribute('data-tile'))).toBeGreaterThan(start)
      await page.keyboard.press('ArrowRight')
      await expect.poll(async () => Number(await focused.getAttribute('data-tile'))).toBe(start)
      expect(complaints).toEqual([])
    } finally {
      await closeContext(page.context())
      await runCommand(dataDir, 'config unset', ['languages.languages'])
    }
  })

  it('V9-05 moves by weeks where the operator sets it', async () => {
    const { page } = await openPage(browser, origin, atNoon(origin))
    try {
      await runCommand(dataDir, 'config set', ['guide.epgGridConfiguration.granularity', 'Week'])
      await visit(page, '/epg')
      const before = await today(page).getAttribute('aria-current')
      expect(before).toBe('date')
      const now = await guideScroll(page)
      // The second step counts from the target of the first step, even while the view still glides there.
      await page.getByRole('button', { name: 'Avancer de 7 jours' }).click()
      await expect.poll(async () => await daysOf(page).last().getAttribute('aria-current')).toBe('date')
      await page.getByRole('button', { name: 'Reculer de 7 jours' }).click()
      await expect.poll(async () => await today(page).getAttribute('aria-current')).toBe('date')
      await expect.poll(async () => Math.abs((await guideScroll(page)) - now)).toBeLessThan(250)
      expect(await today(page).getAttribute('aria-current')).toBe('date')
    } finally {
      await closeContext(page.context())
      await runCommand(dataDir, 'config unset', ['guide.epgGridConfiguration.granularity'])
    }
  })
})

/** Checks that a page has had no visible layout shift so far. */
async function expectStill(page: Page, message: string): Promise<void> {
  const { value, what } = await shiftsOf(page)
  expect(value, `${message}: ${what.join(' ')}`).toBeLessThan(0.02)
}

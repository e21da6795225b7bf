import { listChannels } from '@ondine/contract/channels'
import { packGuide } from '@ondine/contract/guide-grid'
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { atNoon, guideScroll, guideView, zoneAt } from './guide-view.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

/** Length of most programmes of these tests, in seconds. Most days end in the middle of such a programme. */
const LENGTH = 6000
/** Length of the short programmes in two of these tests, in seconds. */
const SHORT = 900
/**
 * Visible width of a focused tile, in pixels, from which the view does not scroll. The width shows nearly five
 * minutes.
 */
const SEEN = 34
/** Number of channels. One request returns fewer. */
const CHANNELS = 45

/** A gate that holds the service's answers back while it is closed. */
class Gate {
  readonly #held: (() => Promise<void>)[] = []
  #isOpen = true

  readonly pass = async (fulfil: () => Promise<void>): Promise<void> => {
    if (this.#isOpen) await fulfil()
    else this.#held.push(fulfil)
  }

  close(): void {
    this.#isOpen = false
  }

  async open(): Promise<void> {
    this.#isOpen = true
    for (const fulfil of this.#held.splice(0)) await fulfil()
  }
}

describe('the keys of the guide', () => {
  const open = testBrowser()
  const { origin } = sharedService()
  let channels: Awaited<ReturnType<typeof call<typeof listChannels>>>

  beforeAll(async () => {
    channels = await call(origin, listChannels, {})
  })

  const grid = (page: Page) => page.locator('[role=grid]')
  const tabs = (page: Page) => page.locator('nav a[data-day]')
  /** Returns the day of the selected tab. */
  const dayShown = async (page: Page) =>
    await page.locator('nav a[data-day][aria-current]').getAttribute('data-day')
  /**
   * Returns the row, kind, start time and text of the focused tile, and the date of its start in the page's time
   * zone.
   */
  const here = async (page: Page) =>
    await page.evaluate(() => {
      const tile = document.activeElement
      if (!(tile instanceof HTMLElement) || tile.dataset.tile === undefined) return null
      const start = Number(tile.dataset.tile)
      return {
        row: Number(tile.closest('tr')?.getAttribute('aria-rowindex')) - 2,
        kind: tile.closest('td')?.dataset.kind,
        start,
        date: new Date(start * 1000).toLocaleDateString('sv'),
        text: tile.textContent,
      }
    })
  /** Returns the width of the part of the focused tile that the column of channels does not cover, in pixels. */
  const shownWidth = async (page: Page) =>
    await guideView(page).evaluate((view) => {
      const tile = document.activeElement?.getBoundingClientRect()
      const names = view.querySelector('th')?.getBoundingClientRect()
      const [left, right] = [names?.right ?? 0, view.getBoundingClientRect().right]
      return Math.min(tile?.right ?? 0, right) - Math.max(tile?.left ?? 0, left)
    })
  const settled = async (page: Page) =>
    await expect.poll(async () => await grid(page).locator('[data-kind="waiting"]').count()).toBe(0)

  /** Records from now on whether the focus is ever lost, even for a frame. */
  async function watchFocus(page: Page): Promise<() => Promise<number>> {
    const lost = await page.evaluateHandle(() => {
      const frames = { lost: 0 }
      const look = () => {
        if (document.activeElement === document.body) frames.lost++
        requestAnimationFrame(look)
      }
      requestAnimationFrame(look)
      return frames
    })
    return async () => await lost.evaluate((frames) => frames.lost)
  }

  it.each([
    ['in Paris', () => 'Europe/Paris'],
    ['in the last hour of a day', () => zoneAt(23)],
  ])(
    'lead from day to day on a channel without programmes, to the end of the guide, %s',
    async (_where, timezone) => {
      const { page, complaints } = await open({ timezoneId: timezone() })
      // The service knows the zone from an earlier visit, so the server renders the days of the page's zone.
      await visit(page, '/legal')
      await visit(page, '/epg')
      await guideView(page).waitFor()
      await settled(page)
      await grid(page).locator('td[data-state="live"] a[data-tile]').first().focus()
      const lost = await watchFocus(page)
      // The last channel has no planned programmes.
      await page.keyboard.press('Control+End')
      await expect.poll(async () => (await here(page))?.row).toBe(channels.length - 1)
      for (const [key, end, step] of [
        ['ArrowRight', tabs(page).last(), 1],
        ['ArrowLeft', tabs(page).first(), -1],
      ] as const) {
        const most = await tabs(page).count()
        for (let count = 0; count < most; count++) {
          const from = await here(page)
          const last = await end.getAttribute('data-day')
          await page.keyboard.press(key)
          const to = await here(page)
          expect(to?.row).toBe(from?.row)
          if (from?.date === last) {
            expect(to?.date).toBe(last)
            break
          }
          const next = new Date(`${from?.date}T12:00Z`)
          next.setUTCDate(next.getUTCDate() + step)
          expect(to?.date).toBe(next.toISOString().slice(0, 10))
          // The selected tab is the day of the focused tile, even if the view begins before that day.
          await expect.poll(async () => await dayShown(page)).toBe(to?.date)
        }
        expect((await here(page))?.date).toBe(await end.getAttribute('data-day'))
        await expect.poll(async () => (await here(page))?.kind).toBe('unknown')
        // The tile is visible, and no tile of its day is marked as live.
        expect(await shownWidth(page)).toBeGreaterThan(SEEN)
        expect(await grid(page).locator('[data-state="live"]').count()).toBe(0)
      }
      expect(await lost()).toBe(0)
      expect(complaints).toEqual([])
    },
  )

  /**
   * Opens a guide whose channels have consecutive programmes of the same length. With `most`, each part of the guide
   * has only its last `most` programmes. The test decides when each part arrives.
   */
  async function openMade(
    page: Page,
    { length, most = Infinity }: { length: number; most?: number },
    answer: (fulfil: () => Promise<void>, asked: { start: number; ids: number[] }, route: Route) => unknown,
  ): Promise<number[]> {
    const [model] = channels
    if (model === undefined) throw new Error('There are no channels.')
    const made = Array.from({ length: CHANNELS }, (_, index) => ({
      ...model,
      idChannel: 90_000 + index,
      name: `Canal ${index + 1}`,
    }))
    await page.route('**/proxy/listChannels', async (route) => {
      await route.fulfill({ json: { status: true, result: made } })
    })
    await page.route('**/proxy/epg/grid', async (route) => {
      const asked = new URLSearchParams(route.request().postData() ?? '')
      const start = Number(asked.get('start'))
      const end = start + Number(asked.get('hours')) * 3600
      const ids = made.map(({ idChannel }) => idChannel).filter((id) => asked.toString().includes(String(id)))
      const first = Math.floor(start / length)
      const programmes = Array.from({ length: Math.ceil(end / length) - first }, (_, index) => ({
        id: first + index,
        title: `Émission ${first + index}`,
        startutc: (first + index) * length,
        endutc: (first + index + 1) * length,
        isNeedParentalCode: false,
      })).slice(-most)
      const result = packGuide(
        ids.map((id) => [id, programmes.map((programme) => ({ ...programme, id_channel: id }))] as const),
      )
      await answer(async () => await route.fulfill({ json: { status: true, result } }), { start, ids }, route)
    })
    await page.locator('a[href="/epg"]:visible').first().click()
    await guideView(page).waitFor()
    return made.map(({ idChannel }) => idChannel)
  }

  it('lead into days that are not loaded, and focus the next programme as soon as they are', async () => {
    const { page, complaints } = await open({ timezoneId: 'Europe/Paris' })
    await visit(page, '/legal')
    const gate = new Gate()
    await openMade(page, { length: LENGTH }, gate.pass)
    const come = async () => {
      await gate.open()
      await settled(page)
    }
    await settled(page)
    await grid(page).locator('td[data-state="live"] a[data-tile]').first().focus()
    const lost = await watchFocus(page)
    /**
     * Returns the start time of the focused programme. The first loaded day draws an earlier programme from
     * midnight on, so the tile alone does not give the start time.
     */
    const programmeHere = async () => Math.floor(((await here(page))?.start ?? Number.NaN) / LENGTH) * LENGTH
    /** Walks to the first tile that is not loaded, and focuses it. @returns the previous programme */
    const intoWaiting = async (key: 'ArrowLeft' | 'ArrowRight') => {
      gate.close()
      const step = key === 'ArrowRight' ? LENGTH : -LENGTH
      const most = (11 * 25 * 3600) / LENGTH
      for (let count = 0; count < most; count++) {
        const from = await programmeHere()
        await page.keyboard.press(key)
        const at = await here(page)
        if (at?.kind === 'waiting') {
          expect(at.text).toContain('Chargement')
          return from
        }
        expect(at?.kind).toBe('programme')
        expect(await programmeHere()).toBe(from + step)
      }
      throw new Error('The whole guide is loaded.')
    }
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight'] as const) {
      const from = await intoWaiting(key)
      await come()
      const next = from + (key === 'ArrowRight' ? LENGTH : -LENGTH)
      await expect.poll(async () => await here(page)).toMatchObject({ kind: 'programme', start: next })
      expect(await shownWidth(page)).toBeGreaterThan(SEEN)
    }
    // Presses End on a day that is not loaded. Once the day is loaded, the focus moves to its last programme.
    await intoWaiting('ArrowRight')
    const day = (await here(page))?.start ?? Number.NaN
    await page.keyboard.press('End')
    expect((await here(page))?.kind).toBe('waiting')
    await come()
    const end = await page.evaluate((start) => new Date(start * 1000).setHours(24, 0, 0, 0) / 1000, day)
    const last = Math.floor((end - 1) / LENGTH) * LENGTH
    await expect.poll(async () => await here(page)).toMatchObject({ kind: 'programme', start: last })
    expect(await lost()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('lead at the same time to channels that are not loaded, or fail to load, and to the last ones', async () => {
    const { page } = await open({ timezoneId: 'Europe/Paris' })
    await visit(page, '/legal')
    let fails = true
    const gate = new Gate()
    const second = 90_000 + 20
    await openMade(page, { length: LENGTH }, async (fulfil, { ids }, route) => {
      if (fails && ids.includes(second)) await route.abort()
      else await gate.pass(fulfil)
    })
    await settled(page)
    const live = grid(page).locator('td[data-state="live"] a[data-tile]').first()
    await live.focus()
    const lost = await watchFocus(page)
    const start = (await here(page))?.start
    const row = async () => (await here(page))?.row

    gate.close()
    await page.keyboard.press('Control+End')
    expect(await here(page)).toMatchObject({ row: CHANNELS - 1, kind: 'waiting' })
    await gate.open()
    await expect
      .poll(async () => await here(page))
      .toMatchObject({ row: CHANNELS - 1, kind: 'programme', start })
    await page.keyboard.press('PageDown')
    expect(await row()).toBe(CHANNELS - 1)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('PageDown')
    expect(await here(page)).toMatchObject({ row: CHANNELS - 1, start })
    expect(
      await page.locator(':focus').evaluate((tile) => tile.getBoundingClientRect().bottom),
    ).toBeLessThanOrEqual(await page.evaluate(() => innerHeight))

    await page.keyboard.press('Control+Home')
    expect(await here(page)).toMatchObject({ row: 0, start })
    for (let count = 1; count <= 20; count++) {
      await page.keyboard.press('ArrowDown')
      expect(await row()).toBe(count)
    }
    await expect.poll(async () => await here(page)).toMatchObject({ row: 20, kind: 'failed' })
    expect(await page.locator(':focus').innerText()).toContain('Chargement impossible')
    await page.keyboard.press('ArrowDown')
    expect(await here(page)).toMatchObject({ row: 21, kind: 'failed' })
    fails = false
    await page.keyboard.press('Enter')
    await expect.poll(async () => await here(page)).toMatchObject({ row: 21, kind: 'programme', start })
    expect(await lost()).toBe(0)
  })

  it('focus the last programme of a loaded day, also where the day begins with a gap', async () => {
    const { page } = await open({ timezoneId: 'Europe/Paris' })
    await visit(page, '/legal')
    const gate = new Gate()
    await openMade(page, { length: SHORT, most: 1 }, gate.pass)
    await settled(page)
    await grid(page).locator('[data-tile][tabindex="0"]').focus()
    // Moves to the first tile of the day, so that at most three steps to the left lead to the day before.
    await page.keyboard.press('Home')
    await settled(page)
    gate.close()
    for (let count = 0; count < 3 && (await here(page))?.kind !== 'waiting'; count++)
      await page.keyboard.press('ArrowLeft')
    const day = await here(page)
    expect(day?.kind).toBe('waiting')
    await gate.open()
    await expect.poll(async () => await here(page)).toMatchObject({ kind: 'programme', date: day?.date })
  })

  it('take the panel along into a day that is not loaded', async () => {
    const { page, complaints } = await open({ timezoneId: 'Europe/Paris' })
    await visit(page, '/epg')
    await guideView(page).waitFor()
    await settled(page)
    const panel = (name: string) => page.getByRole('main').getByRole('region', { name })
    // No programme is planned on this channel.
    await grid(page)
      .locator(`td[data-row="${channels.at(-1)?.idChannel}"]`)
      .first()
      .click()
    await panel('Programme non communiqué').waitFor()
    const gate = new Gate()
    gate.close()
    await page.route(
      '**/proxy/epg/grid',
      async (route) => await gate.pass(async () => await route.continue()),
    )
    for (let count = 0; count < 3 && (await here(page))?.kind !== 'waiting'; count++)
      await page.keyboard.press('ArrowRight')
    expect((await here(page))?.kind).toBe('waiting')
    await panel('Chargement').waitFor()
    await gate.open()
    await panel('Programme non communiqué').waitFor()
    expect((await here(page))?.kind).toBe('unknown')
    expect(complaints).toEqual([])
  })

  it("mark the tab of their day; after scrolling by hand, the tab of the view's beginning", async () => {
    const { page } = await open(atNoon(origin))
    await visit(page, '/epg?time=12:00')
    await settled(page)
    // This channel has no programmes. Each day is one tile, so one step to the right leads to the next day.
    await grid(page).locator('[data-tile][tabindex="0"]').focus()
    await page.keyboard.press('Control+End')
    await settled(page)
    const day = await dayShown(page)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => (await here(page))?.date).not.toBe(day)
    const next = (await here(page))?.date
    await expect.poll(async () => await dayShown(page)).toBe(next)
    await guideView(page).hover()
    await page.mouse.wheel(-300, 0)
    await expect.poll(async () => await dayShown(page)).toBe(day)
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => await dayShown(page)).toBe((await here(page))?.date)
    // A press on the tab of the focused tile's day scrolls to the beginning of that day.
    const before = await guideScroll(page)
    const there = (await here(page))?.date
    await page.locator(`nav a[data-day="${there}"]`).click()
    await expect.poll(async () => await guideScroll(page)).toBeGreaterThan(before)
    await expect.poll(async () => await dayShown(page)).toBe(there)
  })

  it('show the end of the guide uncut', async () => {
    const { page, complaints } = await open(atNoon(origin))
    await visit(page, '/legal')
    await openMade(page, { length: SHORT }, async (fulfil) => await fulfil())
    await settled(page)
    await tabs(page).last().click()
    await expect.poll(async () => await tabs(page).last().getAttribute('aria-current')).toBe('date')
    await settled(page)
    await grid(page).locator('[data-tile][tabindex="0"]').focus()
    // The keys leave the last programme and return to it. When the focus returns, the view is already at its end.
    for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
      await page.keyboard.press(key)
    }
    await expect
      .poll(
        async () =>
          await guideView(page).evaluate((view) => view.scrollWidth - view.clientWidth - view.scrollLeft),
      )
      .toBeLessThan(1)
    await settled(page)
    const { date } = (await here(page)) ?? {}
    expect(date).toBe(await tabs(page).last().getAttribute('data-day'))
    // The row draws tiles over its whole visible width, from the column of channels on.
    const beside = async () =>
      await page.locator(':focus').evaluate((tile) => {
        const [name, ...tiles] = [...(tile.closest('tr')?.children ?? [])]
        const lefts = tiles.map((each) => each.getBoundingClientRect().left)
        return Math.min(...lefts) - (name?.getBoundingClientRect().right ?? 0)
      })
    expect(await beside()).toBeLessThanOrEqual(0)
    expect(complaints).toEqual([])
  })
})

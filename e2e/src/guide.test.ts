import { epg, listChannels } from '@ondine/contract/channels'
import type { Channel } from '@ondine/contract/entities'
import { packGuide } from '@ondine/contract/guide-grid'
import { slugWithId } from '@ondine/contract/slugs'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { atNoon, guideScroll, guideView } from './guide-view.ts'
import { closeContext } from './reused-contexts.ts'
import { call } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

const TABLET: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, hasTouch: true }
const PHONE: BrowserContextOptions = { viewport: { width: 360, height: 780 }, hasTouch: true, isMobile: true }

describe('the guide', () => {
  let browser: Browser
  let channels: Channel[]
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
    channels = await call(origin, listChannels, {})
  })
  afterAll(async () => await browser.close())

  async function open(path: string, options: BrowserContextOptions = {}) {
    const watched = await openPage(browser, origin, { timezoneId: 'Europe/Paris', ...options })
    await visit(watched.page, path)
    return watched
  }

  const grid = (page: Page) => page.getByRole('grid', { name: 'Programmes par chaîne et par heure' })
  /** Returns the channel and the start time of the focused tile. */
  const here = async (page: Page) =>
    await page.evaluate(() => {
      const tile = document.activeElement
      return tile instanceof HTMLElement && tile.dataset.tile !== undefined
        ? { channel: Number(tile.dataset.row), start: Number(tile.dataset.tile) }
        : null
    })
  /** Returns the horizontal range of the focused tile within its row, in pixels. */
  const hoursOf = async (page: Page) =>
    await grid(page)
      .locator('[data-tile]:focus')
      .evaluate((tile) => {
        const { left, right } = (tile.closest('td') ?? tile).getBoundingClientRect()
        const row = tile.closest('tr')?.getBoundingClientRect().left ?? 0
        return { left: left - row, right: right - row }
      })
  const liveTile = (page: Page) => grid(page).locator('td[data-state="live"] a[data-tile]').first()

  it('V2.3-03 requests on entry the channels anew, and the day from its midnight over 24 hours', async () => {
    const { page } = await open('/legal')
    const asked: { path: string; body: URLSearchParams }[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      asked.push({ path: pathname, body: new URLSearchParams(request.postData() ?? '') })
    })
    const dayHere = async () =>
      await page.evaluate(() => {
        const start = new Date()
        start.setHours(0, 0, 0, 0)
        const end = new Date(start)
        end.setDate(end.getDate() + 1)
        return [start.getTime() / 1000, (end.getTime() - start.getTime()) / 3_600_000]
      })
    const before = await dayHere()
    await page.locator('a[href="/epg"]').first().click()
    await grid(page).waitFor()
    await liveTile(page).waitFor()
    const after = await dayHere()
    expect(asked.some(({ path }) => path === '/proxy/listChannels')).toBe(true)
    const windows = asked
      .filter(({ path }) => path === '/proxy/epg/grid')
      .map(({ body }) => [Number(body.get('start')), Number(body.get('hours'))])
    // The guide may open just before midnight, so both days are accepted.
    const days = [before, after].map((day) => JSON.stringify(day))
    expect(windows.filter((window) => days.includes(JSON.stringify(window)))).not.toEqual([])
    await closeContext(page.context())
  })

  it.each([360, 1280])(
    'is walked by keys at %i: along a channel in order of time, up and down at the same time',
    async (width) => {
      const { page, complaints } = await open('/epg', { viewport: { width, height: 780 } })
      await guideView(page).waitFor()
      await liveTile(page).waitFor()
      // Shortly before midnight the next programme is of another day, which must be loaded.
      await expect.poll(async () => await grid(page).locator('[data-kind="waiting"]').count()).toBe(0)
      await liveTile(page).focus()
      const first = await here(page)
      expect(first).not.toBeNull()
      const start = first?.start ?? 0
      await page.keyboard.press('ArrowRight')
      await expect.poll(async () => (await here(page))?.start ?? 0).toBeGreaterThan(start)
      expect((await here(page))?.channel).toBe(first?.channel)
      await page.keyboard.press('ArrowLeft')
      await expect.poll(async () => await here(page)).toEqual(first)
      const hours = await hoursOf(page)
      await page.keyboard.press('ArrowDown')
      await expect.poll(async () => (await here(page))?.channel).toBe(channels[1]?.idChannel)
      // If the programme is long, possibly only its end is visible. The arrow keys then move down from this end, and
      // not from the line for now.
      const below = await hoursOf(page)
      expect(below.left).toBeLessThan(hours.right)
      expect(below.right).toBeGreaterThan(hours.left)
      await page.keyboard.press('ArrowUp')
      await expect.poll(async () => await here(page)).toEqual(first)
      // The current programme may be the first or the last of its day, but never both.
      await page.keyboard.press('Home')
      await expect.poll(async () => (await here(page))?.start ?? Infinity).toBeLessThanOrEqual(start)
      // The day's first programme may have begun the day before. That day must load before the start time is
      // known.
      await expect.poll(async () => await grid(page).locator('[data-kind="waiting"]').count()).toBe(0)
      const begin = (await here(page))?.start ?? 0
      expect((await here(page))?.channel).toBe(first?.channel)
      await page.keyboard.press('End')
      await expect.poll(async () => (await here(page))?.start ?? 0).toBeGreaterThan(begin)
      expect((await here(page))?.start).toBeGreaterThanOrEqual(start)
      expect((await here(page))?.channel).toBe(first?.channel)
      await page.keyboard.press('Home')
      await expect.poll(async () => (await here(page))?.start).toBe(begin)
      await page.keyboard.press('Control+End')
      await expect.poll(async () => (await here(page))?.channel).toBe(channels.at(-1)?.idChannel)
      expect(complaints).toEqual([])
      await closeContext(page.context())
    },
  )

  it('stays on its channel when the keys lead to a programme that began before the view and is still visible', async () => {
    const { page } = await open('/epg', atNoon(origin))
    await guideView(page).waitFor()
    await liveTile(page).focus()
    // This channel has no programmes, so its day is one tile from midnight to midnight.
    await page.keyboard.press('Control+End')
    const last = channels.at(-1)?.idChannel
    await expect.poll(async () => (await here(page))?.channel).toBe(last)
    const place = await guideScroll(page)
    for (const key of ['Home', 'End', 'Home']) {
      await page.keyboard.press(key)
      await expect.poll(async () => (await here(page))?.channel).toBe(last)
    }
    expect(await guideScroll(page)).toBe(place)
    await page.keyboard.press('ArrowUp')
    await expect.poll(async () => (await here(page))?.channel).toBe(channels.at(-2)?.idChannel)
    await closeContext(page.context())
  })

  it('has one tab stop, and names of its cells that read as sentences', async () => {
    const { page } = await open('/epg')
    await liveTile(page).waitFor()
    expect(await grid(page).locator('[data-tile][tabindex="0"]').count()).toBe(1)
    const sentence = /^.+, en ce moment sur (?:Rive|Terra|Onde 4|Petit), \d\d:\d\d – \d\d:\d\d/
    await grid(page).getByRole('link', { name: sentence }).first().waitFor()
    await closeContext(page.context())
  })

  it('shows a programme in a panel: Enter leads into it, Escape back to the tile', async () => {
    const { page } = await open('/epg')
    const tile = liveTile(page)
    await tile.focus()
    await page.keyboard.press('Enter')
    const details = page.getByRole('link', { name: 'Fiche du programme' })
    await details.waitFor()
    // The panel shows the details of the programme, and a button to share it.
    const panel = page.getByRole('main').locator('section', { has: details })
    await panel.getByRole('list', { name: 'Au programme' }).getByRole('link').first().waitFor()
    await panel.getByRole('button', { name: /^Partager/ }).waitFor()
    await expect
      .poll(async () => await page.evaluate(() => document.activeElement?.closest('section') !== null))
      .toBe(true)
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await expect.poll(async () => (await here(page)) !== null).toBe(true)
    await closeContext(page.context())
  })

  it('V8-03 a panel whose details cannot be fetched says so, and gets them when the viewer tries again', async () => {
    const { page } = await open('/epg')
    await liveTile(page).waitFor()
    await page.route('**/proxy/epg/event*', async (route) => await route.abort())
    await page.route('**/proxy/epg/event/**', async (route) => await route.abort())
    await liveTile(page).click()
    const retry = page.getByRole('button', { name: 'Réessayer' })
    await retry.waitFor()
    const details = page.getByRole('link', { name: 'Fiche du programme' })
    expect(await details.count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    await retry.click()
    await details.waitFor()
    await retry.waitFor({ state: 'detached' })
    await closeContext(page.context())
  })

  it('goes by mouse to another day, part of the day and back to now, and has its position in the address', async () => {
    const { page, complaints } = await open('/epg', atNoon(origin))
    const now = await guideScroll(page)
    const days = page.getByRole('navigation', { name: 'Jours' }).getByRole('link')
    expect(await days.count()).toBe(11)
    await days.nth(5).click()
    await expect.poll(async () => await guideScroll(page)).toBeGreaterThan(now + 5000)
    await expect.poll(async () => await days.nth(5).getAttribute('aria-current')).toBe('date')
    await page.getByRole('button', { name: 'Soirée' }).click()
    // In the evening, the address already names today and this hour. Scrolling has ended only when the address
    // names the other day.
    const date = await days.nth(5).getAttribute('data-day')
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    await page.waitForURL(
      ({ searchParams }) => searchParams.get('day') === date && searchParams.get('time') === '20:00',
    )
    const address = page.url()
    const evening = await guideScroll(page)
    await page.getByRole('button', { name: 'Avancer de 30 minutes' }).click()
    await expect.poll(async () => (await guideScroll(page)) - evening).toBe(216)
    await page.getByRole('button', { name: 'Maintenant' }).click()
    await expect.poll(async () => Math.abs((await guideScroll(page)) - now)).toBeLessThan(250)
    await visit(page, address)
    await expect.poll(async () => Math.abs((await guideScroll(page)) - evening)).toBeLessThan(2)
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it.each([
    ['a phone', PHONE, 90],
    ['a large tablet', TABLET, 300],
  ])('is opened by touch on %s, with room for the programmes', async (_what, device, widest) => {
    const { page, complaints } = await open('/epg', device)
    const cell = liveTile(page)
    await cell.waitFor()
    const names = await grid(page).locator('tbody th').first().boundingBox()
    expect(names?.width ?? 0).toBeLessThan(widest)
    await cell.tap()
    const details = page.getByRole('link', { name: 'Fiche du programme' })
    await details.waitFor()
    await details.tap()
    await page.waitForURL(/\/epg\/.+-\d+$/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.getByText('En ce moment').or(page.getByText('Ce programme')).first().waitFor()
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('V2.1-08 V7-11 a programme shows the programmes before and after it, and its other showings', async () => {
    const [channel] = channels
    const idChannel = channel?.idChannel ?? 0
    const guide = await call(origin, epg, { offset: 0, hours: 4, channelIds: [idChannel] })
    // Shortly after midnight, the guide of a new library has no programme before the current one.
    const coming = guide[`chan_${idChannel}`]?.find(({ startutc }) => startutc * 1000 > Date.now())
    if (coming === undefined) throw new Error('Nothing is on later.')
    const path = `/epg/${slugWithId(coming.title, coming.id)}`
    const { page } = await open(path)
    const neighbours = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ hasText: /^(?:Avant|Ensuite)/ })
    expect(await neighbours.count()).toBe(2)
    await page.getByRole('region', { name: /^Ensuite sur/ }).waitFor()
    await expectSound(page, path)
    await closeContext(page.context())
  })

  it('V2.1-10 a channel has its guide day by day, each with an address, and marks the current programme', async () => {
    const [channel] = channels
    const { page, complaints } = await open(`${channel?.detailRoute}/epg`, atNoon(origin))
    await page.getByRole('heading', { level: 1, name: `Programmes de la chaîne ${channel?.name}` }).waitFor()
    const live = page.getByRole('main').locator('li[data-state="live"]')
    await live.getByRole('heading', { level: 3 }).waitFor()
    await live.getByText('Direct', { exact: true }).waitFor()
    const days = page.getByRole('navigation', { name: 'Jours' }).getByRole('link')
    expect(await days.count()).toBe(11)
    // Goes two days back, because shortly after midnight a programme of yesterday may still be on.
    await days.nth(1).click()
    await page.waitForURL(/day=\d{4}-\d\d-\d\d$/)
    await expect.poll(async () => await days.nth(1).getAttribute('aria-current')).toBe('date')
    await expect.poll(async () => await live.count()).toBe(0)
    await visit(page, page.url())
    expect(await days.nth(1).getAttribute('aria-current')).toBe('date')
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('fits every width, and has no fault that axe finds', async () => {
    const { page } = await open('/epg')
    await liveTile(page).waitFor()
    const title = await page.getByRole('heading', { level: 1 }).boundingBox()
    expect(title?.height).toBeGreaterThan(15)
    expect(title?.width).toBeGreaterThan(60)
    await expectSound(page, 'the guide')
    await liveTile(page).click()
    await page.getByRole('link', { name: 'Fiche du programme' }).waitFor()
    await expectSound(page, 'the guide with its panel')
    await closeContext(page.context())
  })

  it('fills a window of any size with few channels, their numbers within its margins', async () => {
    const { page } = await open('/epg')
    await liveTile(page).waitFor()
    const rows = grid(page).getByRole('rowheader')
    expect(await rows.count()).toBeGreaterThanOrEqual(4)
    /** Returns the distance between the title and the first number, in pixels. */
    const apart = async () => {
      const title = await page.getByRole('heading', { level: 1 }).evaluate((heading) => {
        const text = document.createRange()
        text.selectNodeContents(heading)
        return text.getBoundingClientRect().left
      })
      const number = await rows.first().locator('[aria-hidden=true]').first().boundingBox()
      return Math.abs((number?.x ?? 0) - title)
    }
    for (const [width, height] of [
      [1920, 1080],
      [1280, 800],
      [360, 780],
    ] as const) {
      await page.setViewportSize({ width, height })
      // Rows of the minimum height would leave half of the view below the hours empty.
      const isFull = async () => {
        const heights = await rows.evaluateAll((all) =>
          all.map((each) => each.getBoundingClientRect().height),
        )
        const view = (await guideView(page).boundingBox())?.height ?? 0
        return heights.reduce((sum, each) => sum + each, 0) > Math.min(4 * 140, view * 0.7)
      }
      await expect.poll(isFull, { message: `${width} by ${height}` }).toBe(true)
      if (width > 820) await expect.poll(apart, { message: `${width}` }).toBeLessThan(2)
    }
    await closeContext(page.context())
  })

  it.each([360, 820, 1280])(
    'shows the current and the next programme among programmes of 2 minutes, at %i',
    async (width) => {
      const { page, complaints } = await open('/legal', { viewport: { width, height: 780 } })
      const [first, second] = channels
      await page.route('**/proxy/epg/grid', async (route) => {
        const start = Number(new URLSearchParams(route.request().postData() ?? '').get('start'))
        const rowOf = (
          channel: Channel | undefined,
          programmes: readonly [title: string, minutes: number][],
        ) => {
          const idChannel = channel?.idChannel ?? 0
          let end = start
          const row = programmes.map(([title, minutes], index) => {
            const startutc = end
            end += minutes * 60
            return {
              id: index + 1,
              id_channel: idChannel,
              title,
              startutc,
              endutc: end,
              isNeedParentalCode: false,
            }
          })
          return [idChannel, row] as const
        }
        const hours = Array.from({ length: 24 }, (_, hour) => hour)
        const long = hours.flatMap((): [string, number][] => [
          ['Grand film', 56],
          ['Météo', 2],
          ['Annonce', 2],
        ])
        const short = hours.flatMap((hour) =>
          Array.from({ length: 30 }, (_, index): [string, number] => [`Clip ${hour}.${index}`, 2]),
        )
        await route.fulfill({
          json: { status: true, result: packGuide([rowOf(first, long), rowOf(second, short)]) },
        })
      })
      await page.locator('a[href="/epg"]:visible').first().click()
      const tilesOf = (channel: Channel | undefined) =>
        grid(page)
          .locator('td')
          .filter({ has: page.locator(`[data-row="${channel?.idChannel}"]`) })
      await tilesOf(second).first().waitFor()
      for (const channel of [first, second]) {
        const tiles = await tilesOf(channel).evaluateAll((cells) =>
          cells.flatMap((cell) => {
            // Leaves out tiles behind the column of channels, which have no room for text.
            const names = cell.closest('tr')!.querySelector('th')!.getBoundingClientRect()
            if (cell.getBoundingClientRect().left < names.right) return []
            const words = [...cell.querySelectorAll<HTMLElement>('[dir=auto], [class*=time]')]
            return {
              kind: cell.dataset.kind,
              live: cell.dataset.state === 'live',
              text: words.map((each) => each.innerText.replaceAll('\n', ' ')).join(' | '),
              widths: words.map((each) => each.getBoundingClientRect().width),
            }
          }),
        )
        expect(tiles.length).toBeGreaterThan(0)
        for (const { kind, live, text, widths } of tiles) {
          expect(kind).toBe('several')
          expect(text).not.toMatch(/\d+ (?:programmes|émissions)/)
          expect(Math.min(...widths), text).toBeGreaterThan(40)
          // A tile for several programmes shows the first of them, and after `Puis` the next, except for a tile that
          // is on the air.
          if (live) continue
          expect(text).toMatch(channel === first ? /^Grand film \| .*Puis Météo/ : /^Clip .* \| .*Puis Clip/)
        }
      }
      expect(complaints).toEqual([])
      await closeContext(page.context())
    },
  )

  it.each([360, 1280])('does not break words into letters on narrow tiles, at %i', async (width) => {
    const { page, complaints } = await open('/legal', { viewport: { width, height: 780 } })
    const [channel] = channels
    await page.route('**/proxy/epg/grid', async (route) => {
      const start = Number(new URLSearchParams(route.request().postData() ?? '').get('start'))
      // A programme of six minutes, then a gap of nine minutes, and so on.
      const programmes = Array.from({ length: 96 }, (_, index) => ({
        id: index + 1,
        id_channel: channel?.idChannel ?? 0,
        title: 'Interférences électroniques',
        startutc: start + index * 900,
        endutc: start + index * 900 + 360,
        isNeedParentalCode: false,
      }))
      await route.fulfill({
        json: { status: true, result: packGuide([[channel?.idChannel ?? 0, programmes]]) },
      })
    })
    await page.locator('a[href="/epg"]:visible').first().click()
    const narrow = grid(page).locator('[data-narrow]')
    await narrow.first().waitFor()
    const kinds = await narrow.evaluateAll((tiles) =>
      tiles.map((tile) => (tile instanceof HTMLElement ? tile.dataset.kind : '')),
    )
    expect(new Set(kinds)).toEqual(new Set(['programme', 'unknown']))
    // Widths of the lines of each word. A word that does not fit is broken into several lines.
    const lines = await narrow.locator('[dir=auto]').evaluateAll((titles) =>
      titles.flatMap((title) => {
        const text = title.querySelector('span')?.firstChild ?? null
        return [...(text?.textContent ?? '').matchAll(/\S+/g)].flatMap((word) => {
          const range = document.createRange()
          if (text === null) return []
          range.setStart(text, word.index)
          range.setEnd(text, word.index + word[0].length)
          return [...range.getClientRects()].map((line) => line.width)
        })
      }),
    )
    expect(lines.length).toBeGreaterThan(3)
    expect(Math.min(...lines)).toBeGreaterThan(18)
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('V8-03 without programmes the channels are shown, and the programmes can be requested again', async () => {
    const { page } = await open('/legal')
    await page.route('**/proxy/epg/grid', async (route) => await route.abort())
    await page.locator('a[href="/epg"]').first().click()
    await page.getByRole('rowheader', { name: 'Rive' }).waitFor()
    const again = page.getByRole('button', { name: 'Réessayer' })
    await again.waitFor()
    expect(await page.getByRole('heading', { name: 'Une erreur est survenue' }).count()).toBe(0)
    expect(await page.locator('[role=dialog], [role=alertdialog]').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    await again.click()
    await liveTile(page).waitFor()
    await closeContext(page.context())
  })
})

import type { Rail } from '@ondine/contract/catalogue'
import { live } from '@ondine/web/words/fra/live'
import type { BrowserContextOptions, Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { testBrowser } from './test-browser.ts'

/** The part of an answer of `homeContent` that a page reads. */
interface Answer {
  result: Rail[]
}

describe('home when its answer is late, missing or awkward', () => {
  const open = testBrowser()

  /** Opens home from another screen. `handle` answers the call `homeContent`. */
  async function openHome(
    handle: (route: Route) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const { page, complaints } = await open(options)
    await visit(page, '/legal')
    await page.route('**/proxy/homeContent*', handle)
    // The logo in the bar leads home at every width.
    await page.getByRole('banner').locator('a[href="/"]').first().click()
    return { page, complaints }
  }

  /**
   * Returns the lines in which home arranges its rails. `share` is the fraction of the window's width that the
   * cards of a line cover. `widths` is the width of the first card by rail.
   */
  async function linesOf(page: Page) {
    return await page.locator('main :has(> [data-rail])').evaluateAll((lines) =>
      lines.map((line) => {
        const cards = [...line.querySelectorAll('[data-rail]')].map((rail) => ({
          id: rail.getAttribute('data-rail'),
          boxes: [...rail.querySelectorAll('li')].map((card) => card.getBoundingClientRect()),
        }))
        const boxes = cards.flatMap((rail) => rail.boxes)
        const start = Math.min(...boxes.map(({ left }) => left))
        const end = Math.min(innerWidth, Math.max(...boxes.map(({ right }) => right)))
        return {
          share: (end - start) / innerWidth,
          widths: Object.fromEntries(
            cards.map(({ id, boxes: [first] }) => [id, Math.round(first?.width ?? 0)]),
          ),
        }
      }),
    )
  }

  /**
   * Returns the visible rows of rails. A row consists of the rails at the same height. `share` is the fraction of
   * the window's width that the cards of a row cover.
   */
  async function rowsOf(page: Page) {
    return await page.locator('main [data-rail]').evaluateAll((rails) => {
      const rows = new Map<number, { ids: string[]; start: number; end: number }>()
      for (const rail of rails) {
        const boxes = [...rail.querySelectorAll('li')].map((card) => card.getBoundingClientRect())
        const row = rows.get(Math.round(rail.getBoundingClientRect().top))
        const start = Math.min(row?.start ?? innerWidth, ...boxes.map(({ left }) => left))
        const end = Math.max(row?.end ?? 0, ...boxes.map(({ right }) => Math.min(right, innerWidth)))
        const ids = [...(row?.ids ?? []), rail.getAttribute('data-rail') ?? '']
        rows.set(Math.round(rail.getBoundingClientRect().top), { ids, start, end })
      }
      return [...rows.values()].map(({ ids, start, end }) => ({ ids, share: (end - start) / innerWidth }))
    })
  }

  /** Answers with the wanted rails, each with `count` titles. */
  function railsOf(...wanted: readonly [id: string, layout: Rail['layout'], count: number][]) {
    return async (route: Route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as Answer
      const titles = answer.result.filter(({ kind }) => kind === 'category').flatMap(({ items }) => items)
      const [like] = answer.result.filter(({ kind }) => kind === 'category')
      if (like === undefined || titles.length === 0) throw new Error('Home has no rail of a category.')
      const result = wanted.map(([id, layout, count]) => ({
        ...like,
        id,
        title: id,
        layout,
        items: Array.from({ length: count }, (_, index) => titles[index % titles.length]),
      }))
      await route.fulfill({ response, json: { ...answer, result } })
    }
  }

  const hero = (page: Page) => page.getByRole('group', { name: 'À la une' })
  const unavailable = (page: Page) => page.getByRole('heading', { name: 'Une erreur est survenue' })

  it('shows a skeleton while the service answers, then its rails', async () => {
    let letGo: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const { page, complaints } = await openHome(async (route) => {
      await held
      await route.continue()
    })
    await page.locator('main [aria-busy="true"]').waitFor()
    expect(await hero(page).count()).toBe(0)
    letGo()
    await hero(page).waitFor()
    await page.locator('main [aria-busy="true"]').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  const FAILURES: [string, (route: Route) => Promise<void>][] = [
    ['does not answer', async (route) => await route.abort('connectionrefused')],
    ['answers with a page of a proxy', async (route) => await route.fulfill({ status: 502, body: '<html>' })],
    ['answers half', async (route) => await route.fulfill({ body: '{"status":true,"result":[{"id":' })],
    ['answers nothing at all', async (route) => await route.fulfill({ body: '' })],
    [
      'answers rails that are none',
      async (route) => await route.fulfill({ json: { status: true, result: 7 } }),
    ],
  ]

  // Widths of a cover and a poster in these windows.
  const SIZES = [
    { width: 820, cover: 264, poster: 150 },
    { width: 1280, cover: 296, poster: 190 },
    { width: 1920, cover: 408, poster: 266 },
    { width: 2560, cover: 544, poster: 355 },
  ]

  it('leaves no half of a line empty at any width, with covers and posters of one size everywhere', async () => {
    const handle = railsOf(
      ['two', 'Cover', 2],
      ['long', 'Cover', 8],
      ['one', 'Cover', 1],
      ['three', 'Poster', 3],
      ['single', 'Cover', 1],
      ['more', 'Poster', 9],
    )
    const { page, complaints } = await openHome(handle)
    await page.locator('[data-rail="two"] li').first().waitFor()
    for (const { width, cover, poster } of SIZES) {
      await page.setViewportSize({ width, height: 1000 })
      await expect
        .poll(async () => (await linesOf(page)).map(({ widths }) => widths), { message: `${width}` })
        .toEqual([
          { two: cover, long: cover },
          { one: cover, three: poster },
          { single: cover, more: poster },
        ])
      for (const { share } of await linesOf(page)) expect(share, `${width}`).toBeGreaterThan(0.5)
      // A rail moves to the next row if it does not fit beside the other rails of its row. Each row is more than half
      // full.
      for (const row of await rowsOf(page))
        expect(row.share, `${width} ${row.ids.join()}`).toBeGreaterThan(0.5)
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
    }
    expect(complaints).toEqual([])
  })

  it('shows four live channels uncut between the gutters at 1920', async () => {
    const { page } = await open({ viewport: { width: 1920, height: 1000 } })
    await visit(page, '/')
    const cards = page.locator('[data-rail="live"] li')
    await expect.poll(async () => await cards.count()).toBe(4)
    const last = await cards.last().boundingBox()
    const first = await cards.first().boundingBox()
    expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(1920 - (first?.x ?? 0))
  })

  it('a page with a single cover shows it on more than half of a window of any width', async () => {
    const { page } = await openHome(railsOf(['one', 'Cover', 1]))
    await page.locator('[data-rail="one"] li').first().waitFor()
    for (const { width } of SIZES) {
      await page.setViewportSize({ width, height: 1000 })
      const share = async () => (await linesOf(page))[0]?.share
      await expect
        .poll(share, { message: `${width}` })
        .toSatisfy((found: number) => found > 0.5 && found < 0.6)
    }
  })

  it.each(FAILURES)('shows the failure and offers another try when the service %s', async (what, handle) => {
    const { page } = await openHome(handle)
    await unavailable(page).waitFor()
    // All failures have the same page, so axe checks only the first.
    if (what === FAILURES[0]?.[0]) expect(await axeFaults(page)).toEqual([])
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Réessayer' }).click()
    await hero(page).waitFor()
  })

  it('without any rail says that there is nothing to watch yet', async () => {
    const { page, complaints } = await openHome(
      async (route) => await route.fulfill({ json: { status: true, result: [] } }),
    )
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await hero(page).count()).toBe(0)
    expect(await unavailable(page).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  it('V3-53 shows channels as covers in a rail of any layout, because their words would overlap in the small cards of another', async () => {
    const { page } = await openHome(async (route) => {
      const response = await route.fetch()
      const { result, ...rest }: Answer = await response.json()
      const live = result
        .filter(({ kind }) => kind === 'live')
        .flatMap((rail) => [rail, { ...rail, id: 'round', layout: 'Circle' }])
      await route.fulfill({ response, json: { ...rest, result: live } })
    })
    const cards = page.getByRole('main').locator('a[href^="/channel/rive-"]')
    await expect.poll(async () => await cards.count()).toBe(2)
    const [first, second] = await cards.evaluateAll((all) => all.map(({ clientWidth }) => clientWidth))
    expect(second).toBe(first)
  })

  it('V3-53 shows a channel among titles in their layout', async () => {
    const { page, complaints } = await openHome(async (route) => {
      const response = await route.fetch()
      const { result, ...rest }: Answer = await response.json()
      const items = result.flatMap((rail) => rail.items)
      const mixed = ['channel', 'asset'].flatMap((type) =>
        items.filter((item) => item.type === type).slice(0, 1),
      )
      const [rail] = result.filter(({ kind }) => kind === 'live')
      const rails = rail === undefined ? [] : [{ ...rail, id: 'mixed', layout: 'Poster', items: mixed }]
      await route.fulfill({ response, json: { ...rest, result: rails } })
    })
    const cards = page.getByRole('main').getByRole('listitem').locator('a')
    await expect.poll(async () => await cards.count()).toBe(2)
    const [channel, film] = await cards.evaluateAll((all) =>
      all.map((card) => {
        const frame = card.firstElementChild?.getBoundingClientRect()
        return [card.clientWidth, Math.round(frame?.height ?? 0)]
      }),
    )
    expect(channel).toEqual(film)
    expect(channel?.[1] ?? 0).toBeGreaterThan(channel?.[0] ?? 0)
    expect(complaints).toEqual([])
  })

  it('V3-27 a channel never turns grey, also when its programme is over and the next one is unknown', async () => {
    const end = Math.floor(Date.now() / 1000) + 6
    const { page } = await openHome(async (route) => {
      const response = await route.fetch()
      const { result, ...rest }: Answer = await response.json()
      const rails = result
        .filter(({ kind }) => kind === 'live')
        .map((rail) => ({
          ...rail,
          items: rail.items.flatMap((item) =>
            item.type === 'channel' && item.programme !== null
              ? [{ ...item, programme: { ...item.programme, startutc: end - 600, endutc: end } }]
              : [],
          ),
        }))
      await route.fulfill({ response, json: { ...rest, result: rails } })
    })
    const cards = page.getByRole('main').locator('a[href^="/channel/"]')
    await cards.first().waitFor()
    // Records whether a picture of the rails loses its colours at any moment.
    await page.evaluate(() => {
      const note = () => {
        const pictures = [...document.querySelectorAll('main a[href^="/channel/"] img')]
        if (pictures.some((picture) => getComputedStyle(picture).filter !== 'none'))
          document.documentElement.setAttribute('data-was-grey', '')
      }
      note()
      new MutationObserver(note).observe(document.body, { attributes: true, childList: true, subtree: true })
    })
    expect(await cards.locator('img').count()).toBeGreaterThan(0)
    await cards.filter({ hasText: live.noProgramme }).first().waitFor()
    expect(await page.locator('[data-was-grey]').count()).toBe(0)
  })

  const LONG = 'Une très longue histoire de marée qui ne finit pas '.repeat(8).slice(0, 400)
  const UNBROKEN = 'mer'.repeat(133)
  const ARABIC = 'حكاية البحر الطويلة'
  const TITLES = [LONG, UNBROKEN, 'É', ARABIC, '‮abc', '<b>a</b> & "b"', '🌊🌊🌊']

  /**
   * Replaces the items of each rail of an answer, also of the hero, by copies of its first film. The copies have
   * the titles of {@link TITLES}.
   */
  function retitled({ result, ...rest }: Answer): Answer {
    const renamed = (item: Rail['items'][number]) =>
      item.type === 'asset'
        ? TITLES.map((title, index) => ({
            ...item,
            payload: { ...item.payload, idAsset: 1_000_000 + index, title, tagline: LONG, logoImage: null },
          }))
        : []
    return {
      ...rest,
      result: result.map((rail) => ({ ...rail, items: rail.items.slice(0, 1).flatMap(renamed) })),
    }
  }

  it('has room for titles of 400 characters, one letter, and right-to-left at 360 px and 1280 px', async () => {
    const { page, complaints } = await openHome(async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: retitled(await response.json()) })
    })
    await hero(page).waitFor()
    const heading = page.getByRole('main').getByRole('heading', { level: 2 }).first()
    await expect.poll(async () => ((await heading.textContent()) ?? '').length).toBeGreaterThan(0)
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 720 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      // Even below the longest title, a slide leaves room for the buttons.
      const choice = hero(page).locator('[aria-pressed]')
      for (let index = 0; index < (await choice.count()); index++) {
        await choice.nth(index).click()
        const box = await heading.boundingBox()
        expect(box?.height ?? 0).toBeLessThan(720)
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      }
      const cards = await page
        .getByRole('main')
        .locator('ul a')
        .evaluateAll((links) => links.map((link) => link.getBoundingClientRect().height))
      expect(Math.max(...cards)).toBeLessThan(720)
      const right = page.getByRole('main').getByText(ARABIC).first()
      expect(await right.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl')
    }
    expect(complaints).toEqual([])
  })

  const PICTURES: Parameters<Route['fulfill']>[0][] = [
    { status: 404 },
    { contentType: 'image/png', body: 'not a picture' },
    { contentType: 'text/html', body: '<h1>login</h1>' },
  ]

  it('shows titles in place of a picture that is missing, is no picture, or is a page', async () => {
    const { page } = await open()
    /** Index of the answer in {@link PICTURES}, by the picture's address. */
    const answers = new Map<string, number>()
    await page.route('**/images/**', async (route) => {
      const url = route.request().url()
      const answer = answers.get(url) ?? answers.size % PICTURES.length
      answers.set(url, answer)
      await route.fulfill(PICTURES[answer])
    })
    await visit(page, '/')
    await hero(page).waitFor()
    const pictures = page.getByRole('main').locator('ul a img')
    await pictures.first().scrollIntoViewIfNeeded()
    const replaced = async () => {
      const addresses = await pictures.evaluateAll((all: HTMLImageElement[]) =>
        all.filter(({ dataset }) => dataset.missing === 'true').map(({ currentSrc }) => currentSrc),
      )
      return new Set(addresses.map((url) => answers.get(url)))
    }
    await expect.poll(replaced).toEqual(new Set(PICTURES.keys()))
    await expect.poll(async () => await pictures.first().getAttribute('data-missing')).toBe('true')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
    const card = page.getByRole('main').locator('ul a').first()
    expect(((await card.textContent()) ?? '').trim().length).toBeGreaterThan(0)
  })

  it('keeps the size of cards when a picture is far larger than its place', async () => {
    const { page } = await open()
    const huge = `<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"><rect width="20000" height="20000" fill="#345"/></svg>`
    await page.route('**/images/**', async (route) => {
      await route.fulfill({ contentType: 'image/svg+xml', body: huge })
    })
    await visit(page, '/all-content')
    const card = page.getByRole('main').locator('ul a').first()
    await card.locator('img').first().waitFor()
    expect((await card.boundingBox())?.width ?? 0).toBeLessThan(500)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  })
})

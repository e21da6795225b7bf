import { contentData } from '@ondine/contract/catalogue'
import { heartbeat, readAsset } from '@ondine/contract/playback'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, MOVING, openPage, signIn, visit } from './browser.ts'
import { callAs, inNewProfile } from './people.ts'
import { closeContext } from './reused-contexts.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

describe('home and category pages', () => {
  let browser: Browser
  const { origin } = sharedService()
  let films = ''

  beforeAll(async () => {
    browser = await launchBrowser()
    const home = await (await fetch(origin)).text()
    films = /href="(\/category\/films-\d+)"/.exec(home)?.[1] ?? ''
  })
  afterAll(async () => await browser.close())

  async function open(path: string, options: Parameters<typeof openPage>[2] = {}): Promise<Page> {
    const { page } = await openPage(browser, origin, options)
    await visit(page, path)
    await page.getByRole('main').waitFor()
    return page
  }

  const choices = (page: Page) => page.getByRole('group', { name: 'À la une' }).locator('[aria-pressed]')
  const chosen = async (page: Page) =>
    await choices(page).evaluateAll((buttons) =>
      buttons.findIndex((button) => button.getAttribute('aria-pressed') === 'true'),
    )
  const bar = (page: Page) => page.getByRole('group', { name: 'À la une' }).locator('[aria-pressed] > span')

  it('V9-10 each slide of the hero has its bar for 5 s, then the next one comes', async () => {
    const page = await open('/', MOVING)
    await bar(page).waitFor()
    expect(await bar(page).evaluate((span) => getComputedStyle(span).animationDuration)).toBe('5s')
    const before = await chosen(page)
    const count = await choices(page).count()
    await expect.poll(async () => await chosen(page)).toBe((before + 1) % count)
    await closeContext(page.context())
  })

  it('the hero stops under a pointer, after a choice or a stop, and for viewers who prefer less motion', async () => {
    const page = await open('/', MOVING)
    await bar(page).waitFor()
    await page.getByRole('group', { name: 'À la une' }).hover()
    await expect
      .poll(async () => await bar(page).evaluate((span) => getComputedStyle(span).animationPlayState))
      .toBe('paused')
    const bars = async () => await bar(page).count()
    await page.getByRole('button', { name: 'Mettre le défilement en pause' }).click()
    await expect.poll(bars).toBe(0)
    await page.getByRole('button', { name: 'Reprendre le défilement' }).click()
    await expect.poll(bars).toBe(1)
    await choices(page).nth(1).click()
    await expect.poll(async () => [await chosen(page), await bars()]).toEqual([1, 0])
    await closeContext(page.context())
    const calm = await open('/')
    await calm.getByRole('button', { name: 'Reprendre le défilement' }).waitFor()
    expect(await bar(calm).count()).toBe(0)
    // Slides that the viewer starts keep their time, and the bar does not move.
    await calm.getByRole('button', { name: 'Reprendre le défilement' }).click()
    const style = await bar(calm).evaluate((span) => {
      const { animationDuration, animationTimingFunction } = getComputedStyle(span)
      return [animationDuration, animationTimingFunction]
    })
    expect(style).toEqual(['5s', expect.stringMatching(/^step(?:-start|s\(1, (?:jump-)?start\))$/)])
    await closeContext(calm.context())
  })

  it('plays a series from the hero, and shows upright artwork on a phone', async () => {
    const { page } = await openPage(browser, origin, { viewport: { width: 360, height: 740 } })
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/')
    const series = choices(page).and(page.getByLabel('Le Métier'))
    await series.click()
    await page.getByRole('heading', { name: 'Le Métier' }).first().waitFor()
    const stage = page.locator('[data-layout] picture img').first()
    await expect
      .poll(async () => await stage.evaluate((img: HTMLImageElement) => img.naturalHeight > img.naturalWidth))
      .toBe(true)
    const play = page.locator('a[href*="/player?series="]')
    await play.click()
    await page.waitForURL((url) => url.pathname === '/player' && url.searchParams.has('asset'))
    await closeContext(page.context())
  })

  it.each([
    ['held upright', 820, 1180, true],
    ['on its side', 900, 700, false],
  ])('a tablet %s shows the artwork that fits it', async (_held, width, height, upright) => {
    const page = await open('/', { viewport: { width, height } })
    const stage = page.locator('[data-layout] picture img').first()
    await expect
      .poll(
        async () =>
          await stage.evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) =>
            naturalWidth === 0 ? undefined : naturalHeight > naturalWidth,
          ),
      )
      .toBe(upright)
    await closeContext(page.context())
  })

  it('V6-03 a locked series has no play button in the hero', async () => {
    const { page } = await openPage(browser, origin)
    await signIn(page, 'renter@ondine.test')
    await visit(page, '/')
    await choices(page).and(page.getByLabel('Le Métier')).click()
    await page.getByText('Vous n’avez pas d’abonnement pour ce titre.').waitFor()
    expect(await page.locator('main a[href*="/player?series="]').count()).toBe(0)
    await closeContext(page.context())
  })

  it('V3-32 a series that was begun resumes from the hero at its episode', async () => {
    const { page } = await openPage(browser, origin)
    await signIn(page, 'subscriber@ondine.test')
    await inNewProfile(page, async () => {
      const play = page.locator('main a[href*="/player?series="]')
      const shown = async () => {
        await visit(page, '/')
        await choices(page).and(page.getByLabel('Le Métier')).click()
        return (await play.textContent()) ?? ''
      }
      expect(await shown()).toMatch(/^Lecture/)
      const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 2 })
      const { session } = await callAs(page, readAsset, {
        idAsset: episode.id,
        idAudioLang: 'fra',
        idSubtitleLang: 'non',
        format: 'dash',
      })
      const { content } = await callAs(page, contentData, { idAsset: episode.id })
      const seconds = content.type === 'asset' ? content.payload.durationInSeconds : 0
      await callAs(page, heartbeat, { session, position: Math.round(seconds / 2), event: 'pause' })
      expect(await shown()).toBe('Reprendre S1 É2')
    })
    await closeContext(page.context())
  })

  it('leaves no half of a wide window empty where rails are short, and no tag on a poster', async () => {
    const page = await open('/', { viewport: { width: 1920, height: 1080 } })
    const lines = await page.locator('main :has(> [data-rail])').evaluateAll((all) =>
      all.map((line) => {
        const pictures = [...line.querySelectorAll('img')].map((img) => img.getBoundingClientRect())
        const start = Math.min(...pictures.map(({ left }) => left))
        const end = Math.max(...pictures.map(({ right }) => right))
        const titles = [...line.querySelectorAll('h2')].map((title) => title.textContent).join(', ')
        return { titles, share: (end - start) / innerWidth }
      }),
    )
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.filter(({ share }) => share <= 0.5)).toEqual([])
    for (const address of ['/design', '/', films]) {
      await visit(page, address)
      const covered = await page
        .locator('main a:has([class*=tag_]):not([class*=offer_])')
        .evaluateAll((cards) =>
          cards.flatMap((card) => {
            const picture = card.querySelector('img')?.getBoundingClientRect()
            if (picture === undefined || picture.width >= picture.height) return []
            return [...card.querySelectorAll('[class*=tag_]')].flatMap((tag) => {
              const box = tag.getBoundingClientRect()
              const apart =
                box.left >= picture.right - 1 ||
                box.right <= picture.left + 1 ||
                box.top >= picture.bottom - 1 ||
                box.bottom <= picture.top + 1
              return apart ? [] : [`${card.textContent} ${tag.textContent}`]
            })
          }),
        )
      expect(covered, address).toEqual([])
    }
    await closeContext(page.context())
  })

  it('the arrow keys choose among the slides', async () => {
    const page = await open('/', MOVING)
    await bar(page).waitFor()
    // A slide that the viewer has selected stays, so no timer interferes with the keys.
    await choices(page).first().click()
    await page.keyboard.press('ArrowRight')
    await expect.poll(async () => await chosen(page)).toBe(1)
    await page.keyboard.press('ArrowLeft')
    await expect.poll(async () => await chosen(page)).toBe(0)
    await closeContext(page.context())
  })

  it('a slide never has the title art of the slide before, while its own is still on the way', async () => {
    const page = await open('/')
    const art = page.getByRole('main').getByRole('heading', { level: 2 }).first().getByRole('img')
    await expect
      .poll(async () => await art.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(0)
    const before = await art.elementHandle()
    const title = await art.getAttribute('alt')
    // From now on, requests for pictures get no answer.
    await page.route('**/images/**', () => {})
    await choices(page).nth(1).click()
    await expect.poll(async () => await art.getAttribute('alt')).not.toBe(title)
    // An image element shows its old picture until the new picture has arrived, so the slide must have a new
    // element.
    expect(await before?.evaluate((image) => image.isConnected)).toBe(false)
    await closeContext(page.context())
  })

  it('shows the title of a film whose picture does not load', async () => {
    const { page } = await openPage(browser, origin)
    await page.route('**/images/**', async (route) => await route.abort())
    await visit(page, films)
    const card = page.getByRole('main').getByRole('link').first()
    await card.waitFor()
    expect(((await card.textContent()) ?? '').length).toBeGreaterThan(2)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
    await closeContext(page.context())
  })

  /** Returns the addresses of the titles that a list shows. */
  async function titlesOf(page: Page): Promise<string[]> {
    return await page
      .getByRole('main')
      .locator('ul a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('/')[2] ?? ''))
  }

  async function chooseOrder(page: Page, order: string): Promise<void> {
    await page.getByRole('button', { name: 'Trier' }).click()
    await page.getByRole('option', { name: order }).click()
  }

  it('V3-54 a category keeps the chosen order for 30 days', async () => {
    const page = await open('/all-content')
    const titles = async () => await titlesOf(page)
    const before = await titles()
    expect(before.length).toBeGreaterThan(1)
    await chooseOrder(page, 'Titre, de A à Z')
    const sorted = [...before].toSorted()
    await expect.poll(titles).toEqual(sorted)
    await chooseOrder(page, 'Titre, de Z à A')
    await expect.poll(titles).toEqual(sorted.toReversed())
    const cookie = (await page.context().cookies()).find(({ name }) => name === 'sort_visitor')
    expect((cookie?.expires ?? 0) - Date.now() / 1000).toBeGreaterThan(29 * 86_400)
    await page.reload()
    await expect.poll(titles).toEqual(sorted.toReversed())
    await closeContext(page.context())
  })

  it('V3-54 an order that could not be fetched can be tried again, and the menu of orders stays', async () => {
    const page = await open('/all-content')
    const main = page.getByRole('main')
    const sorted = (await titlesOf(page)).toSorted()
    await page.route('**/proxy/listContent*', async (route) => await route.abort())
    await chooseOrder(page, 'Titre, de A à Z')
    const retry = main.getByRole('button', { name: 'Réessayer' })
    await retry.waitFor()
    await main.getByRole('button', { name: 'Trier' }).getByText('Titre, de A à Z').waitFor()
    expect(await main.getByText('Aucun titre ici').count()).toBe(0)
    await page.unrouteAll({ behavior: 'wait' })
    await retry.click()
    await expect.poll(async () => await titlesOf(page)).toEqual(sorted)
    await closeContext(page.context())
  })

  it('restores the position of a list when a viewer comes back', async () => {
    const page = await open('/all-content', { viewport: { width: 360, height: 500 } })
    const card = page.getByRole('main').locator('ul a').last()
    await card.waitFor()
    const place = 90
    await page.evaluate((top) => scrollTo(0, top), place)
    await expect.poll(async () => await page.evaluate(() => scrollY)).toBe(place)
    // A mouse click would scroll to the card.
    await card.evaluate((link) => (link as HTMLElement).click())
    await page.waitForURL(/\/(?:content|series)\//)
    await page.goBack()
    await expect.poll(async () => await page.evaluate(() => scrollY)).toBe(place)
    await closeContext(page.context())
  })
})

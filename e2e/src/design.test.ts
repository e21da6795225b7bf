import { contrast, type Rgb } from '@ondine/web/design/tokens/color'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { routeAddresses } from './addresses.ts'
import { launchBrowser, MOVING, openPage, signIn, visit } from './browser.ts'
import { axeFaults, expectSound } from './checks.ts'
import { closeContext } from './reused-contexts.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

describe('the design system', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  /** Opens the page, alive, in a window of the given width. */
  async function open(width: number, language = 'fra', options: BrowserContextOptions = {}) {
    const watched = await openPage(browser, origin, { viewport: { width, height: 800 }, ...options })
    await watched.page.context().addCookies([{ name: 'language', value: language, url: origin }])
    await visit(watched.page, '/design')
    return watched
  }

  it.each([
    ['fra', 360],
    ['eng', 1280],
  ] as const)('in %s fits every width, and has no fault that axe finds at %i', async (language, axeWidth) => {
    const { page, complaints } = await open(1280, language)
    await expectSound(page, language, [axeWidth])
    expect(complaints).toEqual([])
    await closeContext(page.context())
  })

  it('in forced colours, lines and grounds show what is on, what is chosen, and where the player’s controls are', async () => {
    const { page } = await openPage(browser, origin, { forcedColors: 'active' })
    const style = async (of: Locator, property: string) =>
      await of.first().evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property)
    await visit(page, '/epg')
    const cells = page.locator('[role=grid] td')
    const isOn = cells.and(page.locator('[data-state=live]')).locator('[data-tile]')
    const isNotOn = cells.and(page.locator(':not([data-state=live])')).locator('[data-tile]')
    // The guide replaces tiles while it loads, and a tile that has been replaced has no style.
    await expect.poll(async () => await style(isNotOn, 'border-top-width')).toBe('1px')
    await expect.poll(async () => await style(isOn, 'border-top-width')).toBe('3px')
    const days = page.locator('a[data-day]')
    expect(await style(days.and(page.locator('[aria-current]')), 'background-color')).not.toBe(
      await style(days.and(page.locator(':not([aria-current])')), 'background-color'),
    )
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, `/player?asset=${(await findAsset(origin, 'La Houle')).id}`)
    const settings = page.getByRole('button', { name: 'Vitesse et qualité' })
    await settings.waitFor()
    expect(await style(settings, 'border-top-width')).toBe('1px')
    // The background is opaque.
    expect(await style(settings, 'background-color')).toMatch(/^rgb\(/)
    await closeContext(page.context())
  })

  // In windows of 1024 to 2560 px at 200 %, the page is 512 to 1280 px wide. A synopsis has a different place
  // at each of these widths.
  describe('on a pale picture in a window at 200 %', () => {
    let page: Page

    beforeAll(async () => {
      ;({ page } = await openPage(browser, origin))
      const pale = await sharp({ create: { width: 1280, height: 720, channels: 3, background: '#ffffff' } })
        .png()
        .toBuffer()
      await page.route('**/images/**', async (route) => {
        await route.fulfill({ body: pale, contentType: 'image/png' })
      })
    })
    afterAll(async () => await closeContext(page.context()))

    it.each(['home', 'assets-slug', 'categories-slug-details', 'channel-slug', 'epg-slug', 'live'] as const)(
      'the synopsis of %s is readable',
      async (name) => {
        await visit(page, (await routeAddresses(origin))[name])
        const synopsis = page.locator('main p[class*="synopsis"], main [class*="synopsis"] > p').first()
        const seen: number[] = []
        for (const width of [512, 640, 820, 960, 1024, 1280]) {
          await page.setViewportSize({ width, height: Math.round(width * 0.5625) })
          await page.waitForFunction((wanted) => innerWidth === wanted, width)
          // On a phone, home shows no synopsis.
          if (!(await synopsis.isVisible())) continue
          seen.push(width)
          // Scrolls the text to the middle, because bars cover the top and the bottom of the window.
          await synopsis.evaluate((words) => words.scrollIntoView({ block: 'center' }))
          expect(await contrastOf(synopsis), `at ${width}`).toBeGreaterThan(4.5)
        }
        expect(seen.slice(-5)).toEqual([640, 820, 960, 1024, 1280])
      },
    )
  })

  it('V3-48 is readable in every theme, also in one that is unreadable as configured', async () => {
    const { page } = await open(1280)
    const theme = page.getByRole('button', { name: /Thème/ })
    for (const name of ['Ambre', 'Bleu nuit sur noir', 'Papier', 'Illisible, corrigé']) {
      await theme.click()
      await page.getByRole('option', { name }).click()
      await page.getByRole('listbox').waitFor({ state: 'detached' })
      expect(await axeFaults(page, undefined, ['color-contrast']), name).toEqual([])
    }
    await closeContext(page.context())
  })

  it('V9-09 rails have buttons from 1024 px on, which stay 300 ms, glide for 600 ms, and keep their place', async () => {
    const { page } = await open(1280, 'fra', MOVING)
    const posters = rail(page, 'Poster')
    await posters.scrollIntoViewIfNeeded()
    await posters.getByRole('listitem').first().hover()
    const view = posters.getByRole('list').locator('..')
    const next = posters.getByRole('button', { name: /Suivants/ })
    const closesAfter = async () => await next.evaluate((button) => getComputedStyle(button).transitionDelay)
    expect(await closesAfter()).toBe('0s')
    await page.mouse.move(2, 2)
    expect(await closesAfter()).toBe('0.3s')
    await posters.getByRole('listitem').first().hover()
    // Measures the time from the press to the last scroll event. A slow machine may show the first movement late.
    await view.evaluate((element) => {
      const times = { pressed: 0, moved: 0 }
      Reflect.set(window, 'times', times)
      addEventListener('click', () => (times.pressed = performance.now()), true)
      element.addEventListener('scroll', () => (times.moved = performance.now()))
    })
    await next.click()
    const position = async () => await view.evaluate(({ scrollLeft }) => Math.round(scrollLeft))
    await expect.poll(position).toBeGreaterThan(500)
    const place = await rest(position)
    const took = await page.evaluate(() => {
      const { pressed, moved } = Reflect.get(window, 'times') as { pressed: number; moved: number }
      return moved - pressed
    })
    // A busy machine can only make it take longer.
    expect(took).toBeGreaterThan(450)

    await posters.getByRole('listitem').nth(7).getByRole('link').click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.goBack()
    await expect.poll(async () => Math.abs((await position()) - place)).toBeLessThan(3)

    await page.setViewportSize({ width: 1023, height: 800 })
    await next.waitFor({ state: 'detached' })
    // A rail with page buttons shows these buttons at any width.
    const pages = rail(page, 'Cover').getByRole('button', { name: /^Page/ })
    expect(await pages.count()).toBeGreaterThan(1)
    await pages.last().click()
    await expect.poll(async () => await pages.last().getAttribute('aria-current')).toBe('true')
    await closeContext(page.context())
  })

  describe('on one page', () => {
    let page: Page

    beforeAll(async () => {
      ;({ page } = await open(1280))
    })
    beforeEach(async () => await page.setViewportSize({ width: 1280, height: 800 }))
    afterAll(async () => await closeContext(page.context()))

    it('V5-04 titles have 80 % of their size below 800 px', async () => {
      await page.setViewportSize({ width: 800, height: 800 })
      const titles = [
        page.getByRole('heading', { name: 'La Houle', exact: true }),
        page.getByRole('heading', { name: 'Cover', exact: true }),
        rail(page, 'Cover').getByRole('listitem').first().getByText('La Houle'),
        rail(page, 'Poster').getByRole('listitem').first().getByText('La Houle').last(),
      ]
      const sizes = async () => await Promise.all(titles.map(fontSize))
      await page.waitForFunction(() => innerWidth === 800)
      const wide = await sizes()
      await page.setViewportSize({ width: 799, height: 800 })
      await expect.poll(sizes).toEqual(wide.map((size) => expect.closeTo(size * 0.8, 1)))
    })

    it('V9-12 grids have 3 columns at the narrowest, 8 of covers and 7 of posters at the widest', async () => {
      await page.setViewportSize({ width: 360, height: 800 })
      const columns = async (label: string) =>
        await page
          .getByRole('list', { name: label, exact: true })
          .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)
      const grids = async () => [await columns('Cover'), await columns('Poster')]
      await expect.poll(grids).toEqual([3, 3])
      await page.setViewportSize({ width: 3000, height: 800 })
      await expect.poll(grids).toEqual([8, 7])
    })

    it('V3-28 the progress bar of a live programme moves every second', async () => {
      const line = rail(page, 'Cover')
        .getByRole('link', { name: /Direct/ })
        .locator('[aria-hidden] > *')
        .last()
      const width = async () => await line.evaluate((element) => element.getAttribute('style'))
      const before = await width()
      await expect.poll(width).not.toBe(before)
    })

    it('V9-11 a second click within 300 ms does not undo the first', async () => {
      const autoplay = page.getByRole('switch', { name: /Enchaîner/ })
      const wasOn = await autoplay.isChecked()
      await autoplay.evaluate((element) => {
        ;(element as HTMLElement).click()
        ;(element as HTMLElement).click()
      })
      await expect.poll(async () => await autoplay.isChecked()).toBe(!wasOn)
    })

    it('works by keyboard', async () => {
      const focused = () => page.locator(':focus')
      const covers = rail(page, 'Cover').getByRole('listitem').getByRole('link')
      await covers.first().focus()
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      await expectFocus(covers.nth(2))
      await page.keyboard.press('End')
      await expectFocus(covers.last())
      await expect.poll(async () => await isInView(covers.last())).toBe(true)
      await page.keyboard.press('Home')
      await expectFocus(covers.first())
      await expect.poll(async () => await isInView(covers.first())).toBe(true)
      // The edge of the window cuts the fourth card until it has the focus.
      for (let card = 1; card <= 3; card++) await page.keyboard.press('Tab')
      await expectFocus(covers.nth(3))
      await expect.poll(async () => await isInView(covers.nth(3))).toBe(true)

      const menu = page.getByRole('button', { name: 'Qualité', exact: true })
      await menu.focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      await expectFocus(menu)
      await page.keyboard.press('Enter')
      await page.getByRole('menuitemradio', { name: '1080p', checked: true }).waitFor()
      await page.keyboard.press('Escape')

      const opener = page.getByRole('button', { name: 'Ouvrir une boîte de dialogue' })
      await opener.focus()
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      for (let step = 0; step < 4; step++) await page.keyboard.press('Tab')
      expect(await dialog.locator(':focus').count()).toBe(1)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })
      await expectFocus(opener)

      await page.getByRole('tab').first().focus()
      await page.keyboard.press('ArrowRight')
      await page.getByRole('tab', { name: 'À propos', selected: true }).waitFor()

      const autoplay = page.getByRole('switch', { name: /Enchaîner/ })
      const wasOn = await autoplay.isChecked()
      await autoplay.focus()
      await page.keyboard.press('Space')
      await expect.poll(async () => await autoplay.isChecked()).toBe(!wasOn)

      const volume = page.getByRole('slider', { name: 'Volume' })
      await volume.focus()
      await page.keyboard.press('ArrowRight')
      await expect.poll(async () => await volume.inputValue()).toBe('0.65')
      expect(await focused().count()).toBe(1)
    })

    it('V9-10 a notice disappears by itself, and stays while the pointer is on it', async () => {
      const pressedAt = Date.now()
      await page.getByRole('button', { name: 'Afficher un avis' }).click()
      const notice = page.getByText('Ajouté à votre liste.')
      await notice.waitFor()
      await notice.waitFor({ state: 'detached' })
      expect(Date.now() - pressedAt).toBeGreaterThan(4000)

      await page.getByRole('button', { name: 'Afficher une erreur' }).click()
      const failure = page.getByText('La connexion est perdue.')
      await failure.hover()
      const line = failure.locator('..').locator('[aria-hidden]').last()
      const style = async () => await line.getAttribute('style')
      const held = await rest(style)
      await page.waitForFunction(
        (start) => performance.now() - start > 1000,
        await page.evaluate(() => performance.now()),
      )
      expect(await style()).toBe(held)
      await page.getByRole('button', { name: 'Fermer' }).click()
      await failure.waitFor({ state: 'detached' })
    })
  })
})

function rail(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** Waits until a value is the same half a second later, and returns it. */
async function rest<T>(read: () => Promise<T>): Promise<T> {
  const seen: T[] = []
  await expect
    .poll(
      async () => {
        seen.push(await read())
        return seen.length > 1 && seen.at(-1) === seen.at(-2)
      },
      { interval: 500 },
    )
    .toBe(true)
  return await read()
}

async function fontSize(element: Locator): Promise<number> {
  return await element.evaluate((found) => Number.parseFloat(getComputedStyle(found).fontSize))
}

async function expectFocus(element: Locator): Promise<void> {
  await expect
    .poll(async () => await element.evaluate((found) => found === document.activeElement))
    .toBe(true)
}

async function isInView(element: Locator): Promise<boolean> {
  return await element.evaluate((found) => {
    const { left, right } = found.getBoundingClientRect()
    return left >= 0 && right <= window.innerWidth
  })
}

/** Returns the contrast of a text with the lightest point behind it. */
async function contrastOf(text: Locator): Promise<number> {
  const colour = await text.evaluate((element) => getComputedStyle(element).color)
  await text.evaluate((element) => {
    element.style.color = 'transparent'
    element.style.textShadow = 'none'
  })
  const { channels } = await sharp(await text.screenshot()).stats()
  await text.evaluate((element) => {
    element.style.color = ''
    element.style.textShadow = ''
  })
  const lightest = rgb(channels.map(({ max }) => max))
  return contrast(lightest, rgb((colour.match(/[\d.]+/g) ?? []).map(Number)))
}

function rgb([r = 0, g = 0, b = 0]: readonly number[]): Rgb {
  return { r, g, b }
}

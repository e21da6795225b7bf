import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { AXE_WIDTHS, expectSound, expectToFit } from './checks.ts'
import { closeContext } from './reused-contexts.ts'
import { sharedService } from './shared-service.ts'
import { WRITTEN_SCREENS } from './written-screens.ts'

const LANGUAGES = ['fra', 'eng'] as const

/** Screens with headlines below pictures. */
const HEADLINED: readonly string[] = ['/read/articles', '/read/articles/lire-la-mer', '/disciplines/voile']

describe('written content', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  it.each(LANGUAGES)(
    'in %s has no fault that axe finds, fits every width, has uncut headlines on a tablet and logs nothing on the console',
    async (language) => {
      const { page, complaints } = await openPage(browser, origin)
      await page.context().addCookies([{ name: 'language', value: language, url: origin }])
      for (const [number, { path }] of WRITTEN_SCREENS.entries()) {
        await visit(page, path)
        // Each language has axe check a screen at only one width. Over all languages, axe checks each screen at
        // each of its widths.
        const turn = (number + LANGUAGES.indexOf(language)) % AXE_WIDTHS.length
        await expectSound(page, path, AXE_WIDTHS.slice(turn, turn + 1))
        await expectToFit(page, 820, path)
        const headlines = page.locator('main a[data-headline] span[dir=auto]')
        if (HEADLINED.includes(path)) expect(await headlines.count(), path).toBeGreaterThan(0)
        const cut = await headlines.evaluateAll((all) =>
          all
            .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
            .map(({ textContent }) => textContent),
        )
        expect(cut, path).toEqual([])
      }
      expect(complaints).toEqual([])
      await closeContext(page.context())
    },
  )

  it('V2.1-26 the articles of a discipline have one column at 360, and two at 600 and 820', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/disciplines/voile')
    const about = page.getByRole('region', { name: /^À lire\s: Voile$/ }).getByRole('listitem')
    for (const [width, columns] of [
      [360, 1],
      [600, 2],
      [820, 2],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      await page.waitForFunction((wanted) => innerWidth === wanted, width)
      const places = await about.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
      expect(places).toHaveLength(2)
      expect(new Set(places).size, `at ${width}`).toBe(columns)
    }
    await closeContext(page.context())
  })

  it('the link to the next article is as wide as the articles below it, and a trailer has one caption', async () => {
    const { page } = await openPage(browser, origin, { viewport: { width: 1920, height: 1080 } })
    await visit(page, '/read/articles/lire-la-mer')
    const [near, related] = await Promise.all([
      page.getByRole('navigation', { name: 'Autres articles' }).boundingBox(),
      page.getByRole('region', { name: 'À lire aussi' }).boundingBox(),
    ])
    expect([near?.x, near?.width]).toEqual([related?.x, related?.width])
    const trailer = page.getByRole('figure').filter({ hasText: 'La bande-annonce' })
    expect(await trailer.innerText()).toBe('La bande-annonce')
    await closeContext(page.context())
  })

  it('A7.1-31 a link to a question leads to it and opens it, and the keyboard opens the others', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/page/faq#comment-resilier')
    await page.getByText('Vous gardez l’accès jusqu’à la fin').waitFor()
    const question = page.locator('details', { hasText: 'Que comprend mon abonnement' })
    await question.locator('summary').focus()
    await page.keyboard.press('Enter')
    await question.getByText('Un cadenas signale').waitFor()
    await closeContext(page.context())
  })
})

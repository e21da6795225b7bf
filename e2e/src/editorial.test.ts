import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { sharedService } from './shared-service.ts'
import { WRITTEN_SCREENS } from './written-screens.ts'

const LANGUAGES = ['fra', 'eng'] as const

describe('written content', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  it.each(LANGUAGES)(
    'in %s has no fault that axe finds, fits every width and logs nothing on the console',
    async (language) => {
      const { page, complaints } = await openPage(browser, origin)
      await page.context().addCookies([{ name: 'language', value: language, url: origin }])
      for (const { path } of WRITTEN_SCREENS) {
        await visit(page, path)
        await expectSound(page, path)
      }
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it.each(LANGUAGES)('headlines below pictures are uncut on a tablet, in %s', async (language) => {
    const { page } = await openPage(browser, origin, { viewport: { width: 820, height: 1180 } })
    await page.context().addCookies([{ name: 'language', value: language, url: origin }])
    for (const path of ['/read/articles', '/read/articles/lire-la-mer', '/disciplines/voile']) {
      await visit(page, path)
      const headlines = page.locator('main a[data-headline] span[dir=auto]')
      expect(await headlines.count(), path).toBeGreaterThan(0)
      const cut = await headlines.evaluateAll((all) =>
        all
          .filter((each) => each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight)
          .map(({ textContent }) => textContent),
      )
      expect(cut, path).toEqual([])
    }
    await page.context().close()
  })

  it.each([
    [360, 1],
    [600, 2],
    [820, 2],
  ])(
    'V2.1-26 the articles of a discipline have, at %i, this number of columns: %i',
    async (width, columns) => {
      const { page } = await openPage(browser, origin, { viewport: { width, height: 900 } })
      await visit(page, '/disciplines/voile')
      const about = page.getByRole('region', { name: /^À lire\s: Voile$/ }).getByRole('listitem')
      const places = await about.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x))
      expect(places).toHaveLength(2)
      expect(new Set(places).size).toBe(columns)
      await page.context().close()
    },
  )

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
    await page.context().close()
  })

  it('A7.1-31 a link to a question leads to it and opens it, and the keyboard opens the others', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/page/faq#comment-resilier')
    await page.getByText('Vous gardez l’accès jusqu’à la fin').waitFor()
    const question = page.locator('details', { hasText: 'Que comprend mon abonnement' })
    await question.locator('summary').focus()
    await page.keyboard.press('Enter')
    await question.getByText('Un cadenas signale').waitFor()
    await page.context().close()
  })
})

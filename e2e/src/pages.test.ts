import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage, visit } from './browser.ts'
import { axeFaults, expectToFit, WIDTHS } from './checks.ts'
import { signInByForm } from './people.ts'
import { closeContext } from './reused-contexts.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'

const LANGUAGES = [
  { code: 'fra', tag: 'fr', locale: 'fr-FR' },
  { code: 'eng', tag: 'en', locale: 'en-GB' },
]

describe('pages', () => {
  let browser: Browser
  const { origin } = sharedService()

  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => await browser.close())

  it('V2.1-27 an unknown page can be searched from', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/nothing/here')
    await page.getByRole('heading', { name: 'Page introuvable' }).waitFor()
    // The page for an unknown address has a search field.
    const main = page.getByRole('main')
    await main.getByRole('searchbox', { name: 'Rechercher' }).fill('  Houle ')
    await main.getByRole('button', { name: 'Lancer la recherche' }).click()
    await page.waitForURL((url) => url.pathname === '/search/houle')
    await closeContext(page.context())
  })

  // `routes.test.ts` checks a page of every other kind.
  it.each(LANGUAGES)(
    'in $code an episode logs nothing on the console, has no fault that axe finds, and fits every width',
    async ({ code, tag, locale }) => {
      const { page, complaints } = await openPage(browser, origin, { locale })
      await page.context().addCookies([{ name: 'language', value: code, url: origin }])
      const episode = await findAsset(origin, 'Le Métier', { season: 1, episode: 1 })
      await visit(page, episode.detailRoute)
      expect(await page.locator('html').getAttribute('lang')).toBe(tag)
      for (const width of WIDTHS) await expectToFit(page, width, 'an episode')
      expect(await axeFaults(page)).toEqual([])
      expect(complaints).toEqual([])
      await closeContext(page.context())
    },
  )

  it('A8.2-01 the sign-in explains an error in words, then succeeds; signing out works', async () => {
    const { page } = await openPage(browser, origin)
    await visit(page, '/auth/login')
    const submit = page.getByRole('main').getByRole('button', { name: 'Se connecter' })
    await page.getByLabel('Adresse e-mail').fill('subscriber@ondine.test')
    await page.getByLabel('Mot de passe', { exact: true }).fill('wrong')
    await submit.click()
    await page.getByText('Informations de connexion invalides').waitFor()
    await signInByForm(page, 'subscriber@ondine.test', 'Ondine-2026!')
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('button', { name: /Compte\s:/ }).click()
    await page.getByRole('button', { name: 'Se déconnecter' }).click()
    await page.getByRole('link', { name: 'Se connecter' }).first().waitFor()
    await closeContext(page.context())
  })
})

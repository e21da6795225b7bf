import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { NATIVE, shellPages } from './shell-pages.ts'

describe('the offers of a locked channel', () => {
  const { origin, opened } = shellPages()

  const main = (page: Page) => page.getByRole('main')
  const compareButton = (page: Page) => main(page).getByRole('button', { name: 'Comparer les offres' })
  const locked = (page: Page) => main(page).getByText('Vous n’avez pas d’abonnement pour cette chaîne.')
  const subscribe = (page: Page) => main(page).getByRole('link', { name: 'S’abonner' })

  /** Opens the panel of the current programme, in the guide. */
  async function openPanel(page: Page): Promise<void> {
    await visit(page, '/epg')
    await main(page).locator('td[data-state="live"] a[data-tile]').first().click()
    await main(page).getByRole('link', { name: 'Fiche du programme' }).waitFor()
  }

  it('V6-03 A2.1-36 are on the live page and in the guide’s panel, and a sheet compares them and leads to one', async () => {
    const page = await opened('/live', { user: 'renter@ondine.test' })
    await locked(page).waitFor()
    await subscribe(page).waitFor()
    await expectSound(page, 'the live page with a locked channel')
    await openPanel(page)
    await locked(page).waitFor()
    await expectSound(page, 'the guide with the panel of a locked channel')
    await compareButton(page).click()
    const sheet = page.getByRole('dialog')
    await sheet
      .getByText(/12,99\s€/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await subscribe(page).click()
    await page.waitForURL(`${origin}/offers`)
  })

  it('a visitor sees them beside the link to the sign-in', async () => {
    const page = await opened('/live')
    await subscribe(page).waitFor()
    await main(page)
      .getByRole('link', { name: /^Se connecter/ })
      .first()
      .waitFor()
    await openPanel(page)
    await subscribe(page).waitFor()
  })

  it('A6-03 A4.8-12 are hidden for a suspended account, and in an app that sells nothing', async () => {
    const suspended = await opened('/live', { user: 'suspended@ondine.test' })
    const inApp = await opened('/live', { user: 'renter@ondine.test', script: NATIVE })
    await main(suspended)
      .getByRole('button', { name: /Regarder en direct/ })
      .waitFor()
    await main(inApp).getByRole('button', { name: 'S’abonner' }).waitFor()
    for (const page of [suspended, inApp]) {
      expect(await subscribe(page).count()).toBe(0)
      await openPanel(page)
      expect(await subscribe(page).count()).toBe(0)
      expect(await main(page).getByText('€').count()).toBe(0)
    }
  })
})

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { touchFaults } from './checks.ts'
import { inNewProfile } from './people.ts'
import { videoState } from './screen.ts'
import { findAsset, findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const SUBSCRIBER = 'subscriber@ondine.test'
/** Time limit for the start of playback on a busy machine. */
const PATIENCE = { timeout: 60_000, interval: 250 }

/** Tests menus, panels and the player. `routes.test.ts` tests the screens, `modals.test.ts` the modals. */
describe('touch targets are wide and high enough', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { origin } = sharedService()

  const profileMenu = async (page: Page) => {
    await page.getByRole('button', { name: /^Compte\s:/ }).click()
    await page.getByRole('banner').getByText('Changer de profil', { exact: true }).waitFor()
  }

  it.each([
    [
      'a menu of the bar',
      820,
      '/live',
      async (page: Page) => {
        const button = page.getByRole('banner').locator('nav button[aria-expanded]').first()
        await button.click()
        await page.getByRole('banner').locator('nav button[aria-expanded=true]').waitFor()
      },
    ],
    ['the menu of the account', 360, '/live', profileMenu],
    [
      'the menu of a card',
      360,
      '/all-content',
      async (page: Page) => {
        await page.locator('main a[href^="/content/"]').first().press('Shift+F10')
        await page.getByRole('dialog').waitFor()
      },
    ],
    [
      'the orders of a list',
      360,
      '/all-content',
      async (page: Page) => {
        await page.getByRole('button', { name: 'Trier' }).click()
        await page.getByRole('option').first().waitFor()
      },
    ],
    [
      'a programme of the guide',
      360,
      '/epg',
      async (page: Page) => {
        await page.locator('td[data-state="live"] a[data-tile]').first().click()
        await page.getByRole('link', { name: 'Fiche du programme' }).waitFor()
      },
    ],
  ])('%s, at %i', async (_what, width, path, reach) => {
    const { page, complaints } = await open({ viewport: { width, height: 780 } })
    await signIn(page, SUBSCRIBER)
    await visit(page, path)
    await reach(page)
    expect(await touchFaults(page, width)).toEqual([])
    expect(complaints).toEqual([])
  })

  it.each(['a film', 'a channel'])('the player of %s, and its options', async (what) => {
    // The controls stay while they are measured.
    await configure({ 'player.controlHideDelay': 60 })
    const { page } = await open({ viewport: { width: 820, height: 780 } })
    await signIn(page, SUBSCRIBER)
    await inNewProfile(page, async () => {
      const address =
        what === 'a film'
          ? `asset=${(await findAsset(origin, 'La Houle')).id}`
          : `channel=${(await findChannel(origin, 'Rive')).idChannel}`
      await visit(page, `/player?${address}`)
      await expect.poll(async () => (await videoState(page)).position, PATIENCE).toBeGreaterThan(0)
      await page.mouse.move(300, 200)
      const options = page.getByRole('button', { name: 'Audio et sous-titres', exact: true })
      await options.waitFor()
      expect(await touchFaults(page, 820)).toEqual([])
      await options.click()
      const panel = page.locator('dialog[open]').first()
      await panel.waitFor()
      expect(await panel.locator('input').count()).toBeGreaterThan(0)
      expect(await touchFaults(page, 820)).toEqual([])
    })
  })
})

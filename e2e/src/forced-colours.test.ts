import { ROUTES } from '@ondine/web/routes'
import { describe, expect, it } from 'vitest'
import { signIn, visit } from './browser.ts'
import { chosenUnseen } from './chosen-unseen.ts'
import { findChannel } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser } from './test-browser.ts'

// `routes.test.ts` checks the selected elements of every screen.
describe('in the system’s forced colours', () => {
  const open = testBrowser()
  const { origin } = sharedService()

  it('selected elements look selected among suggestions and in the panels of the player', async () => {
    const { page } = await open({ forcedColors: 'active' })
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, ROUTES.home)
    await page.getByRole('button', { name: /^Ouvrir la recherche$/ }).click()
    await page.keyboard.type('houl')
    await page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option').first().waitFor()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option', { selected: true }).waitFor()
    await expect.poll(async () => await chosenUnseen(page)).toEqual([])
    await visit(page, `${ROUTES.player}?channel=${(await findChannel(origin, 'Rive')).idChannel}`)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Chaînes', exact: true }).click()
    await page.getByRole('dialog', { name: 'Chaînes' }).locator('[aria-current]').waitFor()
    await expect.poll(async () => await chosenUnseen(page)).toEqual([])
  })

  it('progress is visible', async () => {
    const { page } = await open({ forcedColors: 'active' })
    await visit(page, ROUTES.live)
    const line = page.getByRole('progressbar').first()
    await line.waitFor()
    const [track, fill] = await line.evaluate((element) => [
      getComputedStyle(element).backgroundColor,
      getComputedStyle(element.firstElementChild ?? element).backgroundColor,
    ])
    expect(fill).not.toBe(track)
  })
})

import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { findAsset } from './service-calls.ts'
import { PHONE, path, shellPages } from './shell-pages.ts'

describe('the menu of a card', () => {
  const { origin, opened } = shellPages()
  const card = (page: Page) =>
    page
      .getByRole('main')
      .getByRole('link', { name: /La Houle/ })
      .first()
  const menu = (page: Page) => page.getByRole('dialog', { name: 'La Houle' })
  const actions = async (page: Page) => await menu(page).getByRole('listitem').allTextContents()

  /** Presses a finger on the middle of a card. @returns a function that lifts the finger */
  async function press(page: Page, on: Locator): Promise<() => Promise<void>> {
    await on.scrollIntoViewIfNeeded()
    const box = await on.boundingBox()
    if (box === null) throw new Error('The card is not visible.')
    const finger = await page.context().newCDPSession(page)
    await finger.send('Input.dispatchTouchEvent', {
      type: 'touchStart',
      touchPoints: [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }],
    })
    return async () => {
      await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
      await finger.detach()
    }
  }

  it('V9-11 a press of 500 ms opens the menu of a card, a shorter one opens its page', async () => {
    const page = await opened('/all-content', { ...PHONE, user: 'subscriber@ondine.test' })
    await page.evaluate(() => {
      const times = { pressed: 0, opened: 0 }
      Reflect.set(window, 'times', times)
      addEventListener('pointerdown', () => (times.pressed = performance.now()), true)
      new MutationObserver(() => {
        if (times.opened === 0 && document.querySelector('[role=dialog]') !== null)
          times.opened = performance.now()
      }).observe(document.body, { subtree: true, childList: true })
    })
    const lift = await press(page, card(page))
    await menu(page).waitFor()
    const took = await page.evaluate(() => {
      const { pressed, opened } = Reflect.get(window, 'times') as { pressed: number; opened: number }
      return opened - pressed
    })
    // A slow machine can open the menu later than after 500 ms, but never earlier.
    expect(took).toBeGreaterThanOrEqual(490)
    await lift()
    const [, favourite = '', ...rest] = await actions(page)
    expect(rest).toEqual(['Partager'])
    expect(new URL(page.url()).pathname).toBe('/all-content')

    // Adds the film to the list and removes it, or first removes it if the list already contains it. A message
    // confirms each change.
    const said = {
      'Ajouter à ma liste': 'La Houle est maintenant dans la liste.',
      'Retirer de ma liste': 'La Houle n’est plus dans la liste.',
    }
    const both = Object.entries(said)
    for (const [name, text] of favourite === both[0]?.[0] ? both : both.toReversed()) {
      await menu(page).getByRole('button', { name }).tap()
      await menu(page).waitFor({ state: 'detached' })
      await page.getByText(text).waitFor()
      await expect
        .poll(async () => {
          const lift = await press(page, card(page))
          await menu(page).waitFor()
          await lift()
          if ((await actions(page))[1] !== name) return true
          await page.keyboard.press('Escape')
          await menu(page).waitFor({ state: 'detached' })
          return false
        })
        .toBe(true)
    }
    await page.keyboard.press('Escape')
    await menu(page).waitFor({ state: 'detached' })
    const { detailRoute } = await findAsset(origin, 'La Houle')
    // React Aria ignores a press in the first 100 ms after a long press.
    await expect
      .poll(
        async () => {
          if (path(page) === '/all-content') await card(page).tap()
          return path(page)
        },
        { timeout: 30_000, interval: 500 },
      )
      .toBe(detailRoute)
  })

  it('V9-11 the menu of a channel has its name, whatever is on: the channel is kept and shared', async () => {
    const page = await opened('/live', { user: 'subscriber@ondine.test' })
    await page.locator('main li a[href^="/channel/rive-"]').first().press('Shift+F10')
    const rive = page.getByRole('dialog', { name: 'Rive' })
    await rive.getByRole('button', { name: /liste$/ }).waitFor()
    await rive.getByRole('button', { name: 'Partager' }).press('Enter')
    await page
      .getByRole('dialog', { name: 'Partager' })
      .getByText('Partagez Rive avec vos proches.')
      .waitFor()
  })

  it('V9-11 does not open after the viewer has moved on while it was loading', async () => {
    const page = await opened('/live', { user: 'subscriber@ondine.test' })
    const rive = page.getByRole('dialog', { name: 'Rive' })
    const openRive = async () => {
      await page.locator('main li a[href^="/channel/rive-"]').first().press('Shift+F10')
      await rive.waitFor()
    }
    // Opens a menu once, so that the menus' code is loaded for the rest of the test.
    await openRive()
    await page.keyboard.press('Escape')
    await rive.waitFor({ state: 'detached' })

    let letGo: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route('**/proxy/favoriteAssets*', async (route) => {
      await held
      await route.continue()
    })
    await page.getByRole('contentinfo').locator('a[href="/all-content"]').click()
    await page.waitForURL(`${origin}/all-content`)
    const asked = page.waitForRequest('**/proxy/favoriteAssets*')
    await page.locator('main a[href^="/content/"]').first().press('Shift+F10')
    await asked
    await page.getByRole('banner').locator('a[href="/live"]').first().click()
    await page.getByRole('heading', { level: 1, name: 'En direct' }).waitFor()
    await page.evaluate(() => {
      new MutationObserver(() => {
        if (document.querySelector('[role=dialog]')?.textContent.includes('La Houle'))
          document.body.dataset.came = ''
      }).observe(document.body, { subtree: true, childList: true, characterData: true })
    })
    const answered = page.waitForResponse('**/proxy/favoriteAssets*')
    letGo()
    await (await answered).finished()
    // This menu requests the favourites after the first menu did. Once this menu is open, the answer would have
    // opened the first menu too.
    await openRive()
    expect(await page.locator('body[data-came]').count()).toBe(0)
  })

  it.each([
    ['Shift+F10', '/all-content'],
    ['ContextMenu', '/search/houle'],
  ])('V9-11 %s opens it on %s by keyboard alone', async (keys, at) => {
    const page = await opened(at)
    await card(page).focus()
    await page.keyboard.press(keys)
    await menu(page).waitFor()
    // A viewer who is not signed in has no favourites.
    expect(await actions(page)).toEqual(['Voir la fiche', 'Partager'])
    await page.keyboard.press('Escape')
    await menu(page).waitFor({ state: 'detached' })
    expect(await card(page).evaluate((element) => element === document.activeElement)).toBe(true)

    await page.keyboard.press(keys)
    await menu(page).getByRole('button', { name: 'Partager' }).press('Enter')
    await page.getByRole('dialog', { name: 'Partager' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await card(page).focus()
    await page.keyboard.press(keys)
    await menu(page).getByRole('button', { name: 'Voir la fiche' }).press('Enter')
    const { detailRoute } = await findAsset(origin, 'La Houle')
    await page.waitForURL(origin + detailRoute)
  })
})

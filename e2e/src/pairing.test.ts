import { accountDetails } from '@ondine/contract/accounts'
import { addMaterialByPairing, pairingDevice, startPairing } from '@ondine/contract/pairing'
import { createProfile } from '@ondine/contract/profiles'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, silence, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { callAs, makePerson } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const TELEVISION =
  'Mozilla/5.0 (Linux; Tizen 8.0; SmartTV) AppleWebKit/537.36 Chrome/120.0.0.0 TV Safari/537.36'

describe('pairing a television', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const service = sharedService()

  /** Opens a television that shows a code. */
  async function television(): Promise<{ page: Page; code: string; complaints: string[] }> {
    const watched = await open({ userAgent: TELEVISION })
    await watched.page.goto('/pair')
    await watched.page.getByRole('img', { name: /scanner ce code/ }).waitFor()
    const code = (await watched.page.getByLabel('Code à saisir').textContent()) ?? ''
    return { ...watched, code }
  }

  it('A2.3-11 A4.7-02 A5-29 A7.1-22 works by the code that it shows, which is entered elsewhere and confirmed, once', async () => {
    const { email, password } = await makePerson(service, 'Gaëlle')
    const first = await television()
    expect(first.code).toMatch(/^[2-9A-Z]{3}-[2-9A-Z]{3}$/)
    const { page, complaints } = await open()
    await signIn(page, email, password)
    await visit(page, '/account/devices')
    const main = page.getByRole('main')
    await main.getByRole('button', { name: 'Ajouter un téléviseur' }).click()
    const dialog = page.getByRole('dialog')
    const field = dialog.getByLabel('Code affiché à l’écran')
    const go = dialog.getByRole('button', { name: 'Associer' })
    expect(await go.isDisabled()).toBe(true)
    await field.fill('   ')
    expect(await go.isDisabled()).toBe(true)
    await field.fill('ZZZ-ZZZ')
    const answerAgain = await silence(page, pairingDevice)
    await go.click()
    await dialog.getByText('Le service ne répond pas.').waitFor()
    await answerAgain()
    await dialog.getByRole('button', { name: 'Réessayer' }).click()
    await field.fill('ZZZ-ZZZ')
    await go.click()
    await dialog.getByText('Aucun téléviseur n’affiche ce code').waitFor()
    await dialog.getByRole('button', { name: 'Réessayer' }).click()
    await field.fill(`  ${first.code.toLowerCase()} `)
    await page.keyboard.press('Enter')
    // The person who has entered the code sees the name of the device before confirming.
    await page.getByRole('dialog', { name: /^Associer .+ \?$/ }).waitFor()
    await first.page.getByText('En attente de votre confirmation').waitFor()
    await dialog.getByRole('button', { name: 'Associer' }).click()
    await page.getByRole('dialog', { name: 'C’est fait' }).waitFor()
    await first.page.waitForURL((url) => url.pathname === '/')
    await first.page.getByRole('button', { name: 'Compte : Gaëlle' }).waitFor()
    await dialog.getByRole('button', { name: 'OK' }).click()
    await dialog.waitFor({ state: 'detached' })
    // The television registers its device shortly after the confirmation.
    await main.getByRole('button', { name: /^Retirer / }).waitFor()

    await main.getByRole('button', { name: 'Ajouter un téléviseur' }).click()
    await field.fill(first.code)
    await go.click()
    await dialog.getByText('Aucun téléviseur n’affiche ce code').waitFor()
    expect(complaints).toEqual([])
    expect(first.complaints).toEqual([])
  })

  it('A4.3-03 A4.5-02 a paired television asks for the consent, which a remote control can answer', async () => {
    const { email, password } = await makePerson(service, 'Nolwenn')
    await configure({ 'accounts.isAllowedToRegister': false, 'accounts.consent.mode': 'each-session' })
    const { page: screen, code } = await television()
    await screen.setViewportSize({ width: 1920, height: 1080 })
    const { page } = await open()
    await signIn(page, email, password)
    await callAs(page, addMaterialByPairing, { code })
    const consent = screen.getByRole('dialog', { name: 'Vos données' })
    const accept = consent.getByRole('button', { name: 'Accepter' })
    await consent.waitFor()
    await expectSound(screen, 'the consent on a television', [1920])
    /** Presses arrow keys until the button has the focus. */
    const reach = async (button: Locator, key: string) =>
      await expect
        .poll(async () => {
          const isReached = await button.evaluate((element) => element === document.activeElement)
          if (!isReached) await screen.keyboard.press(key)
          return isReached
        })
        .toBe(true)
    await reach(accept, 'ArrowDown')
    await reach(consent.getByRole('button', { name: 'Refuser' }), 'ArrowLeft')
    await reach(accept, 'ArrowRight')
    await screen.keyboard.press('Enter')
    await consent.waitFor({ state: 'detached' })
    const { additionalInformation } = await callAs(page, accountDetails, {})
    expect(additionalInformation.consent_status).toBe('accepted')
    await visit(screen, '/')
    await screen.getByRole('button', { name: 'Compte : Nolwenn' }).waitFor()
    expect(await consent.count()).toBe(0)
  })

  it('A4.7-02 fills the places of the codes with a colour of the page until they load', async () => {
    const { page } = await open({ userAgent: TELEVISION })
    let come: () => void = () => {}
    const coming = new Promise<void>((resolve) => {
      come = resolve
    })
    await page.route(`**${startPairing.path}`, async (route) => {
      await coming
      await route.continue()
    })
    await visit(page, '/pair')
    const typed = page.getByLabel('Code à saisir')
    const places = [typed, page.getByRole('figure').locator('> :first-child'), page.getByRole('status')]
    /** Returns the boxes of the code's parts on a narrow and on a wide screen. */
    const boxes = async () => {
      const all = []
      for (const viewport of [
        { width: 360, height: 740 },
        { width: 1280, height: 720 },
      ]) {
        await page.setViewportSize(viewport)
        all.push(await Promise.all(places.map(async (place) => await place.boundingBox())))
      }
      return all
    }
    const before = await boxes()
    const color = (name: string) =>
      page.evaluate((name) => {
        const probe = document.body.appendChild(document.createElement('i'))
        probe.style.color = `var(${name})`
        const { color } = getComputedStyle(probe)
        probe.remove()
        return color
      }, name)
    const ground = (place: (typeof places)[number]) =>
      place.evaluate((element) => getComputedStyle(element).backgroundColor)
    for (const place of [typed.locator('> span'), page.getByRole('figure').locator('> :first-child')])
      expect(await ground(place)).toBe(await color('--surface-2'))
    // Blocks further scripts. The QR code and the typed code must need no script that the page has not loaded
    // before the code arrives.
    await page.route('**/*.js', async (route) => await route.abort())
    come()
    await page.getByRole('img', { name: /scanner ce code/ }).waitFor()
    expect(await typed.textContent()).toMatch(/^[2-9A-Z]{3}-[2-9A-Z]{3}$/)
    expect(await boxes()).toEqual(before)
  })

  it('A4.7-02 works by scanning, through the sign-in; the page of the television fits every width, and the height of televisions', async () => {
    const { email, password } = await makePerson(service, 'Hugo')
    const { page: screen, code } = await television()
    const { page } = await open()
    await signIn(page, email, password)
    await callAs(page, createProfile, {
      name: 'Inès',
      language: 'fra',
      kidProfile: false,
      parentalControl: false,
      maximumMoralityLevel: 0,
    })
    await page.context().clearCookies()
    await visit(page, `/account/devices?code=${code.replace('-', '')}`)
    const main = page.getByRole('main')
    await main.getByLabel('Adresse e-mail').fill(email)
    await main.getByLabel('Mot de passe', { exact: true }).fill(password)
    await main.getByRole('button', { name: 'Se connecter' }).click()
    const dialog = page.getByRole('dialog')
    await expect
      .poll(async () => await dialog.getByLabel('Code affiché à l’écran').inputValue())
      .toBe(code.replace('-', ''))
    await expectSound(screen, 'the television')
    // Televisions cannot scroll, so the page must fit the height.
    for (const [width, height] of [
      [960, 540],
      [1280, 720],
      [1920, 1080],
    ] as const) {
      await screen.setViewportSize({ width, height })
      await expect
        .poll(async () => await screen.evaluate(() => document.documentElement.scrollHeight - innerHeight))
        .toBe(0)
    }
    await dialog.getByRole('button', { name: 'Associer' }).click()
    await page.getByRole('dialog', { name: /^Associer .+ \?$/ }).waitFor()
    await dialog.getByRole('button', { name: 'Associer' }).click()
    await screen.waitForURL((url) => url.pathname === '/')
    // The chooser of profiles opens only after this dialog.
    await page.getByRole('dialog', { name: 'C’est fait' }).waitFor()
    await dialog.getByRole('button', { name: 'OK' }).click()
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    await chooser.getByRole('button', { name: /^Hugo/ }).click()
    await chooser.waitFor({ state: 'detached' })
    // A return to the address of the scan does not ask again.
    const settings = page.getByRole('navigation', { name: 'Réglages du compte' })
    await settings.getByRole('link', { name: 'Sécurité' }).click()
    await page.waitForURL('**/account/security')
    await page.goBack()
    await main
      .getByRole('button', { name: /^Retirer / })
      .first()
      .waitFor()
    await main.getByRole('button', { name: 'Ajouter un téléviseur' }).click()
    expect(await dialog.getByLabel('Code affiché à l’écran').inputValue()).toBe('')
  })
})

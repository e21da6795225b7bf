import { validateAccount } from '@ondine/contract/account-calls'
import { casAddDevice, casRemoveDevice } from '@ondine/contract/devices'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import { emailsTo } from '@ondine/server/test/emails'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { signIn, silence, visit } from './browser.ts'
import { callAs, makePerson, newAddress, PASSWORD, registerPerson, signInByForm } from './people.ts'
import { videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

const NEW_PASSWORD = 'Basse-mer-7'

describe('the account', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const service = sharedService()
  const { origin, dataDir } = service

  async function opened(): Promise<Page> {
    return (await open()).page
  }

  /** Signs in with the form. */
  async function enter(page: Page, email: string, password: string): Promise<void> {
    const main = page.getByRole('main')
    await main.getByLabel('Adresse e-mail').fill(email)
    await main.getByLabel('Mot de passe', { exact: true }).fill(password)
    await main.getByRole('button', { name: 'Se connecter' }).click()
  }

  it('A7.1-05 A7.1-07 A5-04 A8.2-03 details and password can be changed, a new address takes effect when it is confirmed', async () => {
    await configure({ 'registration.fields': ['birthdate', 'phoneNumber'] })
    const { email, password } = await makePerson(service, 'Damien')
    const page = await opened()
    await signIn(page, email, password)
    await visit(page, '/account/informations')
    const form = page.getByRole('form', { name: 'Informations personnelles' })
    const save = form.getByRole('button', { name: 'Enregistrer' })
    await form.getByLabel('Prénom').fill('')
    await form.getByLabel('Date de naissance').fill('30/02/1990')
    await save.click()
    await form.getByText('Champ obligatoire').waitFor()
    await form.getByText('Valeur incorrecte').waitFor()
    const other = newAddress('autre')
    await form.getByLabel('Prénom').fill('Damïen')
    await form.getByLabel('Date de naissance').fill('28/2/1990')
    await form.getByLabel('Téléphone').fill('0612345678')
    await form.getByLabel('Adresse e-mail').fill(other)
    // A change of the e-mail address requires the current password.
    const current = form.getByLabel('Mot de passe actuel', { exact: true })
    await current.fill('nothing-Like-1')
    await save.click()
    await form.getByText('Mot de passe actuel incorrect').waitFor()
    await current.fill(password)
    await save.click()
    await form.getByText(`Un lien de confirmation a été envoyé à ${other}`).waitFor()
    await visit(page, '/account/informations')
    expect(await form.getByLabel('Prénom').inputValue()).toBe('Damïen')
    expect(await form.getByLabel('Date de naissance').inputValue()).toBe('28/02/1990')
    expect(await form.getByLabel('Téléphone').inputValue()).toBe('06 12 34 56 78')
    expect(await form.getByLabel('Adresse e-mail').inputValue()).toBe(email)
    const [letter] = await emailsTo(dataDir, other, 1)
    const main = page.getByRole('main')
    const confirm = main.getByRole('button', { name: 'Confirmer mon adresse' })
    await visit(page, letter?.link ?? '')
    await confirm.click()
    await page.getByRole('heading', { level: 1, name: 'Votre nouvelle adresse est confirmée' }).waitFor()
    await visit(page, '/account/informations')
    expect(await form.getByLabel('Adresse e-mail').inputValue()).toBe(other)
    // A used link leads to another change of the address. The e-mail of an activation cannot be sent again.
    await visit(page, letter?.link ?? '')
    await confirm.click()
    await page.getByRole('heading', { level: 1, name: 'Ce lien n’est plus valable' }).waitFor()
    await main.getByText('Demandez à nouveau le changement d’adresse e-mail.').waitFor()
    expect(await main.getByRole('button', { name: 'Renvoyer le lien' }).count()).toBe(0)
    // If somebody else has taken the new address in the meantime, the link leads to another change of the address too.
    const taken = { code: -1000, message: 'Cette adresse e-mail est déjà utilisée.', details: null }
    await page.route(`**${validateAccount.path}`, (route) =>
      route.fulfill({ status: 409, json: { status: false, error: taken } }),
    )
    await visit(page, letter?.link ?? '')
    await confirm.click()
    await page.getByRole('heading', { level: 1, name: 'Votre adresse e-mail n’a pas changé' }).waitFor()
    await main.getByText(taken.message).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await main.getByRole('link', { name: 'Modifier mon adresse e-mail' }).click()
    await page.waitForURL('**/account/informations')

    await visit(page, '/account/security')
    const security = page.getByRole('form', { name: 'Modifier le mot de passe' })
    const change = security.getByRole('button', { name: 'Modifier le mot de passe' })
    const give = async (current: string, chosen: string, again: string) => {
      await security.getByLabel('Mot de passe actuel', { exact: true }).fill(current)
      await security.getByLabel('Nouveau mot de passe', { exact: true }).fill(chosen)
      await security.getByLabel('Confirmer le nouveau mot de passe', { exact: true }).fill(again)
      await change.click()
    }
    await give('nothing-Like-1', NEW_PASSWORD, 'another')
    await security.getByText('Les mots de passe ne correspondent pas').waitFor()
    await give('nothing-Like-1', NEW_PASSWORD, NEW_PASSWORD)
    await security.getByText('Mot de passe actuel incorrect').waitFor()
    await give(PASSWORD, PASSWORD, PASSWORD)
    await security.getByText('Le nouveau mot de passe doit être différent de l’ancien').waitFor()
    await give(PASSWORD, NEW_PASSWORD, NEW_PASSWORD)
    await security.getByText('Votre mot de passe a été modifié').waitFor()
    expect(await security.getByLabel('Mot de passe actuel', { exact: true }).inputValue()).toBe('')
    // The change of the password does not sign this browser out.
    await visit(page, '/account/security')
    await security.waitFor()
  })

  it('A2.1-03 A2.1-04 A5-32 A7.1-10 A8.3-07 a forgotten password is reset by an e-mail, once; the account can be deleted', async () => {
    const { email } = await makePerson(service, 'Elsa')
    const page = await opened()
    await visit(page, '/auth/login')
    await page.getByRole('link', { name: 'Mot de passe oublié ?' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mot de passe oublié' }).waitFor()
    const main = page.getByRole('main')
    const send = main.getByRole('button', { name: 'Recevoir le lien' })
    await send.click()
    await main.getByText('Champ obligatoire').waitFor()
    // The page shows the same message whether or not an account has this address.
    await main.getByLabel('Adresse e-mail').fill('personne@journeys.test')
    await send.click()
    await main.getByText('Si un compte est associé à personne@journeys.test').waitFor()
    await main.getByRole('button', { name: 'Utiliser une autre adresse' }).click()
    await main.getByLabel('Adresse e-mail').fill(email)
    await send.click()
    await main.getByText(`Si un compte est associé à ${email}`).waitFor()
    const letter = (await emailsTo(dataDir, email, 2)).at(-1)

    await visit(page, letter?.link ?? '')
    const set = async (chosen: string, again: string) => {
      await main.getByLabel('Nouveau mot de passe', { exact: true }).fill(chosen)
      await main.getByLabel('Confirmer le nouveau mot de passe', { exact: true }).fill(again)
      await main.getByRole('button', { name: 'Enregistrer' }).click()
    }
    await set('court', 'autre')
    await main.getByText('Ce mot de passe ne respecte pas toutes les règles').waitFor()
    await main.getByText('Les mots de passe ne correspondent pas').waitFor()
    await set(NEW_PASSWORD, NEW_PASSWORD)
    await page.getByRole('heading', { level: 1, name: 'C’est fait' }).waitFor()
    await visit(page, letter?.link ?? '')
    await set('Marée-basse-8', 'Marée-basse-8')
    await page.getByRole('heading', { level: 1, name: 'Ce lien n’est plus valable' }).waitFor()
    await main.getByText('Ce lien a expiré').waitFor()
    await visit(page, '/resetPassword')
    await page.getByRole('heading', { level: 1, name: 'Ce lien est incomplet' }).waitFor()
    await page.getByRole('link', { name: 'Demander un nouveau lien' }).waitFor()

    await visit(page, '/auth/login?back=/account/security')
    await enter(page, email, PASSWORD)
    await main.getByText('Informations de connexion invalides').waitFor()
    await enter(page, email, NEW_PASSWORD)
    await main.getByRole('button', { name: 'Supprimer mon compte' }).click()
    const sure = page.getByRole('dialog', { name: 'Supprimer votre compte ?' })
    await sure.getByRole('button', { name: 'Conserver mon compte' }).click()
    await sure.waitFor({ state: 'detached' })
    await main.getByRole('button', { name: 'Supprimer mon compte' }).click()
    await sure.getByRole('button', { name: 'Supprimer définitivement' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()
    expect((await page.context().cookies()).filter(({ name }) => name.startsWith('ondine_'))).toEqual([])
    await visit(page, '/auth/login')
    await enter(page, email, NEW_PASSWORD)
    await main.getByText('Informations de connexion invalides').waitFor()
  })

  it('A2.3-09 A4.7-01 A8.3-02 A8.3-16 devices are counted and can be removed, removing the current one signs out, too many open their management', async () => {
    const { email, password } = await makePerson(service, 'Félix')
    const page = await opened()
    await visit(page, '/auth/login?back=/account/devices')
    await enter(page, email, password)
    const main = page.getByRole('main')
    await main.getByText('Cet appareil').waitFor()
    const mac = await open({
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    })
    await signIn(mac.page, email, password)
    await callAs(mac.page, casAddDevice, { deviceUniqueId: 'a-mac-of-the-test' })
    await visit(page, '/account/devices')
    await main.getByText('2 appareils', { exact: true }).waitFor()
    const other = main.getByRole('listitem').filter({ hasText: 'Safari' })
    // Devices of the same name are distinguished by kind and time.
    const last = /Ordinateur · Dernière utilisation\s: (?:aujourd’hui|hier) à \d\d:\d\d/
    expect(await other.textContent()).toMatch(last)
    const own = main.getByRole('listitem').filter({ hasText: 'Cet appareil' })
    expect(await own.textContent()).toMatch(last)
    const sure = page.getByRole('dialog', { name: /^Retirer / })

    const answerAgain = await silence(page, casRemoveDevice)
    await other.getByRole('button', { name: /^Retirer/ }).click()
    await sure.getByRole('button', { name: 'Retirer' }).click()
    const failed = page.getByRole('alertdialog', { name: 'L’appareil n’a pas pu être retiré' })
    await failed.getByText('Le service ne répond pas.').waitFor()
    await page.keyboard.press('Enter')
    await failed.waitFor({ state: 'detached' })
    await answerAgain()

    await other.getByRole('button', { name: /^Retirer/ }).click()
    await sure.getByRole('button', { name: 'Retirer' }).click()
    await expect.poll(async () => await main.getByRole('button', { name: /^Retirer / }).count()).toBe(1)
    // The focus moves from the removed row to the next one.
    await expect
      .poll(async () => await own.getByRole('button').evaluate((button) => button === document.activeElement))
      .toBe(true)
    await main.getByRole('button', { name: /^Retirer/ }).click()
    await sure.getByText('le retirer vous déconnectera').waitFor()
    await sure.getByRole('button', { name: 'Retirer' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('device')

    await configure({ 'accounts.maximumDevices': 1 })
    // The Mac signs in again, because the removal of its device signed it out.
    await signIn(mac.page, email, password)
    await callAs(mac.page, casAddDevice, { deviceUniqueId: 'a-mac-of-the-test' })
    await visit(page, '/auth/login?back=/live')
    await enter(page, email, password)
    const manage = page.getByRole('dialog', { name: 'Vos appareils' })
    await manage.getByText('1 appareil sur 1').waitFor()
    await page.waitForURL('**/live')
    await manage.getByRole('button', { name: /^Retirer Safari/ }).click()
    await sure.getByRole('button', { name: 'Retirer' }).click()
    await sure.waitFor({ state: 'detached' })
    // The new sign-in takes the place of the removed device, and gets a device cookie.
    await expect
      .poll(async () => (await page.context().cookies()).map(({ name }) => name))
      .toContain('ondine_device')
    await visit(page, '/account/devices')
    await main.getByText('Cet appareil').waitFor()
    await main.getByText('1 appareil sur 1', { exact: true }).waitFor()
  })

  it('A2.1-01 A7.1-03 a sign-in before the activation offers to send the link again', async () => {
    const { email, password } = await registerPerson(service, 'Inès')
    const page = await opened()
    await visit(page, '/auth/login')
    await enter(page, email, password)
    const main = page.getByRole('main')
    await main.getByText('Votre compte n’est pas encore activé').waitFor()
    const resend = main.getByRole('button', { name: 'Renvoyer le lien' })
    await resend.click()
    await main.getByText('un nouveau lien vient d’y être envoyé').waitFor()
    const letters = await emailsTo(dataDir, email, 2)
    expect(letters.map(({ subject }) => subject)).toEqual(Array(2).fill('Activez votre compte Ondine'))
    // The button belongs to the refused address.
    await main.getByLabel('Adresse e-mail').fill(newAddress('autre'))
    await resend.waitFor({ state: 'detached' })
  })

  it('A2.1-05 a link without its token says that it is incomplete, and can be sent again to an entered address', async () => {
    const page = await opened()
    await visit(page, '/verify-email')
    const main = page.getByRole('main')
    await main.getByRole('heading', { level: 1, name: 'Ce lien est incomplet' }).waitFor()
    await main.getByText('Une partie de son adresse manque').waitFor()
    await main.getByRole('link', { name: 'Ondine' }).waitFor()
    await main.getByRole('link', { name: 'Se connecter' }).waitFor()
    const resend = main.getByRole('button', { name: 'Renvoyer le lien' })
    await resend.click()
    await main.getByText('Champ obligatoire').waitFor()
    await main.getByLabel('Adresse e-mail').fill('personne@journeys.test')
    await resend.click()
    await main.getByText('un nouveau lien vient d’y être envoyé').waitFor()
  })

  it('A2.1-32 a tablet shows all entries of the settings, and the events only while they are open', async () => {
    const { page } = await open({ viewport: { width: 820, height: 1000 } })
    await signIn(page, 'subscriber@ondine.test')
    await visit(page, '/account/devices')
    const settings = page.getByRole('navigation', { name: 'Réglages du compte' })
    const current = settings.locator('[aria-current=page]')
    expect(await current.allTextContents()).toEqual(['Appareils'])
    const entries = await settings.getByRole('link').allTextContents()
    expect(entries).not.toContain('Événements')
    // Only the operator's menus link to the live events. On the page of the live events, the settings list this
    // page too, and mark its entry as current.
    await visit(page, '/account/lives')
    expect(await settings.getByRole('link').allTextContents()).toEqual([...entries, 'Événements'])
    expect(await current.allTextContents()).toEqual(['Événements'])
    const edges = await settings.getByRole('link').evaluateAll((links) =>
      links.map((link) => {
        const { left, right } = link.getBoundingClientRect()
        return { left, right }
      }),
    )
    expect(Math.min(...edges.map(({ left }) => left))).toBeGreaterThanOrEqual(24)
    expect(Math.max(...edges.map(({ right }) => right))).toBeLessThanOrEqual(820 - 24)
  })

  it('A5-19 a forgotten parental code is replaced with the password of the account', async () => {
    const { email, password } = await makePerson(service, 'Solène')
    const page = await opened()
    await signIn(page, email, password)
    await callAs(page, setAdultCode, { adultCode: '2468' })
    await visit(page, '/account/parental-code')
    const form = page.getByRole('form', { name: 'Code parental' })
    await form.getByRole('button', { name: 'Code oublié ?' }).click()
    expect(await form.getByLabel('Code actuel').count()).toBe(0)
    const current = form.getByLabel('Mot de passe actuel', { exact: true })
    const change = form.getByRole('button', { name: 'Changer le code' })
    await form.getByLabel('Nouveau code', { exact: true }).fill('1357')
    await form.getByLabel('Confirmer le nouveau code').fill('1357')
    await change.click()
    await form.getByText('Champ obligatoire').waitFor()
    await current.fill('nothing-Like-1')
    await change.click()
    await form.getByText('Mot de passe actuel incorrect').waitFor()
    await current.fill(password)
    await change.click()
    await page.getByRole('alertdialog', { name: 'C’est fait' }).waitFor()
    expect(typeof (await callAs(page, validateAdultCode, { parentalCode: '1357' }))).toBe('string')
    // The form asks for the current code again.
    await visit(page, '/account/parental-code')
    await form.getByLabel('Code actuel').waitFor()
  })

  it('forms have their related section beside them in a wide window, and below them in an ordinary one', async () => {
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const main = page.getByRole('main')
    for (const [address, title] of [
      ['/account/informations', 'Assistance'],
      ['/account/security', 'Supprimer mon compte'],
      ['/account/parental-code', 'Quand est-il demandé ?'],
    ] as const) {
      await page.setViewportSize({ width: 1920, height: 1080 })
      await visit(page, address)
      const beside = main.getByRole('region', { name: title })
      const boxes = await Promise.all([main.getByRole('form').boundingBox(), beside.boundingBox()])
      const [form, part] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 })
      expect(part?.x, address).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
      expect(part?.y, address).toBe(form?.y)
      expect((part?.x ?? 0) + (part?.width ?? 0), address).toBeGreaterThan(1800)
      await page.setViewportSize({ width: 1280, height: 800 })
      const starts = async () =>
        await Promise.all([main.getByRole('form'), beside].map(async (each) => (await each.boundingBox())?.x))
      await expect.poll(async () => new Set(await starts()).size, { message: address }).toBe(1)
    }
  })

  it('A8.1-03 at the limit of concurrent streams, the viewer reads which titles play on which devices', async () => {
    const film = await findAsset(origin, 'La Houle')
    await configure({ 'accounts.maximumSessions': 1 })
    const first = await opened()
    const second = await opened()
    try {
      await visit(first, `/auth/login?back=/player?asset=${film.id}`)
      await signInByForm(first, 'subscriber@ondine.test', 'Ondine-2026!')
      await first.waitForURL((url) => url.pathname === '/player')
      // The playback session of an earlier test counts until its player has sent no report for 45 s.
      const refused = first.getByText('Nombre maximum de sessions simultanées atteint')
      await expect
        .poll(
          async () => {
            if (!(await refused.isVisible())) return (await videoState(first)).position
            await first.reload()
            return 0
          },
          { timeout: 120_000, interval: 1000 },
        )
        .toBeGreaterThan(0.5)
      await signIn(second, 'subscriber@ondine.test')
      await second.goto(`/player?asset=${film.id}`)
      const stopped = second.getByRole('alertdialog', { name: 'La lecture s’est arrêtée' })
      await stopped.getByText('Nombre maximum de sessions simultanées atteint').waitFor()
      await stopped
        .getByRole('listitem')
        .getByText(/^La Houle, sur Chrome/)
        .waitFor()
    } finally {
      // Leaves both players. On leaving, a player closes its session, which would otherwise count in the next
      // test.
      await Promise.allSettled([first, second].map(async (page) => await visit(page, '/legal')))
    }
  })
})

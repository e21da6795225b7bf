import { changeDetails } from '@ondine/contract/account-calls'
import { accountDetails, logout } from '@ondine/contract/accounts'
import { activateProfile, createProfile } from '@ondine/contract/profiles'
import { finishSignOn } from '@ondine/contract/sign-on'
import { emailsTo } from '@ondine/server/test/emails'
import { TestProvider } from '@ondine/server/test/identity-provider'
import type { Page, Route } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { silence, visit, watch } from './browser.ts'
import { callAs, makePerson, newAddress, PASSWORD, type Person, signInByForm } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

describe('signing in', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const service = sharedService()
  const { origin, dataDir } = service

  async function enter(page: Page, { email, password }: Person): Promise<void> {
    await visit(page, '/auth/login?back=/live')
    const main = page.getByRole('main')
    await main.getByLabel('Adresse e-mail').fill(email)
    await main.getByLabel('Mot de passe', { exact: true }).fill(password)
    await main.getByRole('button', { name: 'Se connecter' }).click()
  }

  const consent = (page: Page) => page.getByRole('dialog', { name: 'Vos données' })
  const account = (page: Page) => page.getByRole('button', { name: /^Compte\s:/ })

  it('A4.5-01 A4.5-02 A4.5-03 A4.5-05 A4.5-06 the consent is asked for as configured; declining it signs out', async () => {
    const person = await makePerson(service, 'Inès')
    await configure({ 'accounts.isAllowedToRegister': false, 'accounts.consent.mode': 'once' })
    const { page } = await open()
    await enter(page, person)
    await consent(page).waitFor()
    // The dialog requires an answer, so Escape does not close it.
    await page.keyboard.press('Escape')
    expect(await consent(page).getByRole('link').getAttribute('href')).toBe('/legal')
    await consent(page).getByRole('button', { name: 'Refuser' }).click()
    await page.getByText('Sans votre accord, nous ne pouvons pas vous connecter.').waitFor()
    expect(await account(page).count()).toBe(0)
    await visit(page, '/live')
    await page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()

    await enter(page, person)
    await consent(page).getByRole('button', { name: 'Accepter' }).click()
    await account(page).waitFor()
    await page.waitForURL((url) => url.pathname === '/live')
    const { additionalInformation } = await callAs(page, accountDetails, {})
    expect(additionalInformation.consent_status).toBe('accepted')
    expect(Number(additionalInformation.consent_timestamp)).toBeGreaterThan(1_700_000_000)

    await page.context().clearCookies()
    await enter(page, person)
    await account(page).waitFor()
    expect(await consent(page).count()).toBe(0)

    await configure({ 'accounts.consent.mode': 'each-session' })
    await page.context().clearCookies()
    // Without the consent, the sign-in does not complete, even when the call that reads the consent fails.
    await page.route(`**${accountDetails.path}`, async (route) => await route.abort(), { times: 1 })
    await enter(page, person)
    await page.getByRole('main').getByRole('alert').waitFor()
    await visit(page, '/live')
    await consent(page).getByRole('button', { name: 'Accepter' }).click()
    await account(page).waitFor()

    await configure({ 'accounts.consent.mode': 'disabled' })
    await page.context().clearCookies()
    await enter(page, await makeSomebodyElse())
    await account(page).waitFor()
    expect(await consent(page).count()).toBe(0)
  })

  /** Creates a person whom no page has asked for the consent. Registration is open only during this call. */
  async function makeSomebodyElse(): Promise<Person> {
    await configure({ 'accounts.isAllowedToRegister': true })
    const person = await makePerson(service, 'Jules')
    await configure({ 'accounts.isAllowedToRegister': false })
    return person
  }

  it('A4.5-01 A4.5-06 a reload without an answer asks again, in every tab', async () => {
    const person = await makePerson(service, 'Judith')
    await configure({ 'accounts.isAllowedToRegister': false, 'accounts.consent.mode': 'once' })
    const { page } = await open()
    await enter(page, person)
    await consent(page).waitFor()
    await page.reload()
    await consent(page).waitFor()
    const other = await page.context().newPage()
    await visit(other, '/live')
    await consent(other).getByRole('button', { name: 'Refuser' }).click()
    await other.getByText('Sans votre accord, nous ne pouvons pas vous connecter.').waitFor()
    await other.keyboard.press('Enter')
    await other.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
    // The sign-out also reaches the first tab.
    await page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()
    expect(await consent(page).count()).toBe(0)

    await enter(page, person)
    await consent(page).waitFor()
    await page.reload()
    await consent(page).getByRole('button', { name: 'Accepter' }).click()
    await consent(page).waitFor({ state: 'detached' })
    await visit(page, '/live')
    await account(page).waitFor()
    expect(await consent(page).count()).toBe(0)
  })

  it('A4.5-01 A4.5-05 a failed question or answer of the consent is reported, and tried again', async () => {
    const person = await makePerson(service, 'Judith')
    await configure({ 'accounts.isAllowedToRegister': false, 'accounts.consent.mode': 'once' })
    const { page } = await open()
    await enter(page, person)
    await consent(page).waitFor()
    const failed = page.getByRole('dialog', { name: 'Votre réponse n’a pas été enregistrée' })
    const lose = async (path: string) =>
      await page.route(`**${path}`, async (route) => await route.abort(), { times: 1 })
    await lose(changeDetails.path)
    await page.reload()
    await consent(page).getByRole('button', { name: 'Accepter' }).click()
    await failed.getByRole('button', { name: 'Plus tard' }).click()
    await failed.waitFor({ state: 'detached' })

    // The call that reads the consent fails, so the page cannot ask for the consent. The dialog must not claim
    // that an answer was not stored.
    await lose(accountDetails.path)
    await lose(changeDetails.path)
    await visit(page, '/live')
    const unasked = page.getByRole('dialog', { name: 'Nous n’avons pas pu vous demander votre accord' })
    await unasked.getByText('Il concerne l’utilisation de vos données.').waitFor()
    expect(await failed.count()).toBe(0)
    await unasked.getByRole('button', { name: 'Réessayer' }).click()
    await consent(page).getByRole('button', { name: 'Accepter' }).click()
    // The viewer has answered, so a new attempt sends the answer without asking again.
    await failed.getByText('Vérifiez votre connexion').waitFor()
    const stored = page.waitForResponse((response) => response.url().endsWith(changeDetails.path))
    await failed.getByRole('button', { name: 'Réessayer' }).click()
    expect((await stored).status()).toBe(200)
    await failed.waitFor({ state: 'detached' })
    expect(await consent(page).count()).toBe(0)
    expect((await callAs(page, accountDetails, {})).additionalInformation.consent_status).toBe('accepted')
  })

  it('A4.3-07 tabs follow each other: a sign-in, another profile, and a sign-out in both at once', async () => {
    const person = await makePerson(service, 'Judith')
    const { page, complaints } = await open()
    await enter(page, person)
    await account(page).waitFor()
    const { id } = await callAs(page, createProfile, {
      name: 'Gaspard',
      language: 'fra',
      kidProfile: true,
      parentalControl: false,
      maximumMoralityLevel: 1,
    })
    const other = await page.context().newPage()
    const otherComplaints = watch(other)
    await visit(other, '/account/security')
    await callAs(other, activateProfile, { idProfile: id })
    await visit(other, '/account/security')
    // A grown-up had opened the first tab, which now shows the child's profile.
    await page.getByRole('button', { name: 'Compte : Gaspard' }).waitFor()

    const leave = async (tab: Page) => {
      await account(tab).click()
      await tab.getByRole('banner').getByText('Se déconnecter', { exact: true }).click()
    }
    await leave(page)
    await page.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()
    await other.waitForURL((url) => url.pathname === '/auth/login')
    expect(new URL(other.url()).searchParams.get('back')).toBe('/account/security')

    await visit(page, '/auth/login?back=/live')
    await signInByForm(page, person.email, person.password)
    await other.waitForURL((url) => url.pathname === '/')
    await account(other).waitFor()
    // Delays the sign-outs of both tabs until both requests have begun.
    const begun: Route[] = []
    await page.context().route(`**${logout.path}`, async (route) => {
      begun.push(route)
      if (begun.length === 2) await Promise.all(begun.map(async (each) => await each.continue()))
    })
    await Promise.all([leave(page), leave(other)])
    for (const tab of [page, other]) {
      await tab.getByRole('banner').getByRole('link', { name: 'Se connecter' }).waitFor()
      expect(await account(tab).count()).toBe(0)
    }
    expect((await page.context().cookies()).filter(({ name }) => name.startsWith('ondine_'))).toEqual([])
    expect([...complaints, ...otherComplaints]).toEqual([])
  })

  it('A2.1-01 A2.1-02 A4.3-01 A8.3-07 the sign-in works through the operator’s identity provider, and returns to the page that was asked for', async () => {
    const provider = new TestProvider()
    await provider.start(`${origin}/auth/callback`)
    try {
      await configure({
        'accounts.authentication.issuer': provider.issuer,
        'accounts.authentication.clientId': 'without-secret',
        'accounts.authentication.providerName': { fra: 'Marine', eng: 'Navy' },
      })
      const { page, complaints } = await open()
      await visit(page, '/account/favorites')
      const main = page.getByRole('main')
      await main.getByRole('link', { name: 'Créer un compte' }).waitFor()
      await main.getByRole('link', { name: 'Mot de passe oublié ?' }).waitFor()
      await main.getByRole('button', { name: 'Continuer avec Marine' }).click()
      await page.waitForURL((url) => url.pathname === '/account/favorites')
      await page.getByRole('button', { name: 'Compte : Camille' }).waitFor()
      expect(complaints).toEqual([])

      // A callback without a request of this browser signs nobody in. Tests both callback addresses.
      await page.context().clearCookies()
      await visit(page, '/oauth/generic/callback?code=stolen&state=x')
      await page.getByRole('heading', { level: 1, name: 'La connexion n’a pas abouti' }).waitFor()
      await main.getByText('La connexion a échoué.').waitFor()
      await main.getByRole('link', { name: 'Se connecter' }).click()
      await main.getByRole('button', { name: 'Continuer avec Marine' }).waitFor()
      await page.goBack()
      await main.getByText('La connexion a échoué.').waitFor()
      const answerAgain = await silence(page, finishSignOn)
      await visit(page, '/auth/callback?code=lost&state=y')
      await main.getByText('Le service ne répond pas.').waitFor()
      await answerAgain()
      await visit(page, '/auth/callback')
      await main.getByText('Aucune connexion n’est en cours.').waitFor()
      await main.getByRole('link', { name: 'Se connecter' }).click()
      await main.getByRole('button', { name: 'Continuer avec Marine' }).waitFor()
      // After going back, the page still shows the failure.
      await page.goBack()
      await main.getByText('Aucune connexion n’est en cours.').waitFor()
    } finally {
      await provider.stop()
    }
  })

  it('A4.3-02 a link that opens the app leads to the callback; one without a token is only logged', async () => {
    const { page, complaints } = await open()
    await page.addInitScript(`window.Capacitor = {
      isNativePlatform: () => true,
      Plugins: { App: { addListener: (event, listener) => { window.openApp = listener } } },
    }`)
    await visit(page, '/live')
    const openApp = async (url: string) => await page.evaluate(`window.openApp({ url: '${url}' })`)
    await openApp('ondine://auth/callback?code=1')
    await openApp('https://elsewhere.test/?access_token=1')
    await expect
      .poll(() => complaints.filter((each) => each.includes('A link that opened the app')))
      .toHaveLength(2)
    expect(new URL(page.url()).pathname).toBe('/live')
    await openApp('ondine://auth/callback?access_token=forged')
    await page.getByRole('heading', { level: 1, name: 'La connexion n’a pas abouti' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/auth/callback')
  })

  it('A2.1-07 A2.1-05 the registration works in English, from the form of a new account to home', async () => {
    const { page, complaints } = await open({ locale: 'en-GB' })
    await page.context().addCookies([{ name: 'language', value: 'eng', url: origin }])
    const email = newAddress('kit')
    await visit(page, '/auth/login')
    const main = page.getByRole('main')
    await main.getByRole('link', { name: 'Create a new account' }).click()
    const form = page.getByRole('form', { name: 'Create an account' })
    const fill = async (label: string, text: string) =>
      await form.getByLabel(label, { exact: true }).fill(text)
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.getByText('Required field').first().waitFor()
    await fill('First name', 'Kit')
    await fill('Last name', 'Vidal')
    await fill('E-mail address', email)
    await fill('Confirm e-mail address', `x${email}`)
    await form.getByText('Emails do not match.').waitFor()
    await fill('Confirm e-mail address', email)
    await fill('Password', PASSWORD)
    await fill('Confirm password', PASSWORD)
    await form.getByRole('checkbox', { name: /^I accept/ }).check({ force: true })
    await form.getByRole('button', { name: 'Continue' }).click()
    await main.getByRole('button', { name: 'Choose later' }).click()
    await main.getByRole('button', { name: 'Continue' }).click()
    await main.getByText(email).waitFor()
    const [letter] = await emailsTo(dataDir, email, 1)
    expect(letter?.subject).toContain('Activate your')
    await visit(page, letter?.link ?? '')
    await main.getByRole('button', { name: 'Confirm my address' }).click()
    await page.getByRole('heading', { level: 1, name: 'Welcome' }).waitFor()
    await main.getByRole('link', { name: 'Sign in' }).click()
    await main.getByLabel('E-mail address').fill(email)
    await main.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await main.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Kit’s account' }).waitFor()
    await page.waitForURL((url) => url.pathname === '/')
    expect(complaints).toEqual([])
  })
})

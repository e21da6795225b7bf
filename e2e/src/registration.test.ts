import { validateAccount } from '@ondine/contract/account-calls'
import { accountDetails } from '@ondine/contract/accounts'
import { listProfiles } from '@ondine/contract/profiles'
import { listSubscriptions } from '@ondine/contract/subscriptions'
import { emailsTo } from '@ondine/server/test/emails'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { alive, silence, visit } from './browser.ts'
import { expectSound } from './checks.ts'
import { callAs, newAddress, PASSWORD, signInByForm } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

describe('registering', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const { dataDir } = sharedService()

  /** Returns the form of a new account, in French. */
  function formOn(page: Page) {
    const form = page.getByRole('form', { name: 'Créer un compte' })
    const line = (label: string) => form.getByLabel(label, { exact: true })
    return {
      form,
      firstName: line('Prénom'),
      lastName: line('Nom'),
      email: line('Adresse e-mail'),
      emailConfirm: line('Confirmer l’adresse e-mail'),
      password: line('Mot de passe'),
      passwordConfirm: line('Confirmer le mot de passe'),
      phone: form.getByLabel('Téléphone'),
      birthdate: form.getByLabel('Date de naissance'),
      terms: form.getByRole('checkbox', { name: /^J’accepte/ }),
      submit: form.getByRole('button', { name: 'Continuer' }),
      faults: async () => await form.locator('[aria-invalid=true], [data-invalid] input').count(),
      said: async (text: string) => await form.getByText(text, { exact: true }).count(),
    }
  }

  async function fillIn(page: Page, email: string): Promise<void> {
    const form = formOn(page)
    await form.firstName.fill('Zoé')
    await form.lastName.fill('Vidal')
    await form.email.fill(email)
    await form.emailConfirm.fill(email)
    await form.password.fill(PASSWORD)
    await form.passwordConfirm.fill(PASSWORD)
    await form.terms.check({ force: true })
  }

  /** Continues from the submitted form to the announcement of the e-mail. */
  async function goOn(page: Page, email: string): Promise<void> {
    await page.getByRole('heading', { level: 1, name: 'Votre formule' }).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Choisir plus tard' }).click()
    await page.getByRole('heading', { level: 1, name: 'Récapitulatif' }).waitFor()
    await page.getByRole('main').getByText(email).waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Continuer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Consultez vos e-mails' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/register/confirmation')
  }

  it('A2.1-06 A2.1-07 A2.1-08 A2.1-09 A2.1-10 A2.1-05 A3-06 A4.5-04 leads from the form over the e-mail to home, without a consent', async () => {
    // The registration form includes the consent, so no mode asks for it after the first sign-in.
    await configure({ 'accounts.consent.mode': 'each-session' })
    const { page, complaints } = await open()
    const email = newAddress('zoe')
    await visit(page, '/register')
    expect(new URL(page.url()).pathname).toBe('/register/informations')
    await fillIn(page, email)
    const { form } = formOn(page)
    const news = form.getByRole('checkbox', { name: 'Recevoir la lettre d’information' })
    expect(await news.isChecked()).toBe(false)
    await news.check({ force: true })
    await formOn(page).submit.click()
    await goOn(page, email)
    await page.getByText(email).waitFor()

    const [letter] = await emailsTo(dataDir, email, 1)
    expect(letter?.subject).toContain('Activez votre compte')
    await visit(page, letter?.link ?? '')
    const confirm = page.getByRole('button', { name: 'Confirmer mon adresse' })
    // The link stays usable after a call without an answer.
    const answerAgain = await silence(page, validateAccount)
    await confirm.click()
    await page.getByRole('alert').getByText('Le service ne répond pas. Réessayez dans un instant.').waitFor()
    await answerAgain()
    await confirm.click()
    await page.getByRole('heading', { level: 1, name: 'Bienvenue' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Se connecter' }).click()
    const main = page.getByRole('main')
    await main.getByLabel('Adresse e-mail').fill(email)
    await main.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
    await main.getByRole('button', { name: 'Se connecter' }).click()
    await page.getByRole('button', { name: 'Compte : Zoé' }).waitFor()
    await page.waitForURL((url) => url.pathname === '/')
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect((await callAs(page, accountDetails, {})).allowNews).toBe(true)
    expect(complaints).toEqual([])

    // A second registration of the same address gets the same answer as the first. Only the e-mail to the holder of
    // the address says that the account exists.
    const stranger = await open()
    await visit(stranger.page, '/register/informations')
    await fillIn(stranger.page, email.toUpperCase())
    await formOn(stranger.page).submit.click()
    await goOn(stranger.page, email.toUpperCase())
    const letters = await emailsTo(dataDir, email, 2)
    expect(letters.at(-1)?.subject).toContain('Vous avez déjà un compte')
    expect(stranger.complaints).toEqual([])

    // The link of an e-mail works only once.
    await visit(stranger.page, letter?.link ?? '')
    await stranger.page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
    await stranger.page.getByRole('heading', { level: 1, name: 'Ce lien n’est plus valable' }).waitFor()
    await stranger.page.getByRole('button', { name: 'Renvoyer le lien' }).click()
    await stranger.page.getByText('un nouveau lien vient d’y être envoyé').waitFor()
  })

  it('A5-11 A4.2-08 requires both names, e-mail and password, the last two twice, and nothing else; the registration goes from its form to its progress; failed it keeps the form, and sent again it succeeds', async () => {
    const { page } = await open()
    const email = newAddress('etapes')
    await visit(page, '/register/informations')
    const { form, submit, said } = formOn(page)
    await submit.click()
    await expect.poll(async () => await said('Champ obligatoire')).toBe(7)
    expect(await form.getByRole('textbox').count()).toBe(6)
    await fillIn(page, email)
    const answer = Promise.withResolvers<void>()
    await page.route('**/proxy/createAccount', async (route) => {
      await answer.promise
      await route.abort('connectionrefused')
    })
    await submit.click()
    await form.getByText('Création du compte…').waitFor()
    expect(await form.getByRole('alert').count()).toBe(0)
    answer.resolve()
    await form.getByRole('alert').getByText('Le service ne répond pas.').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    expect(new URL(page.url()).pathname).toBe('/register/informations')
    expect(await formOn(page).email.inputValue()).toBe(email)
    await submit.click()
    await goOn(page, email)
  })

  it('A5-02 A5-05 A5-06 A5-07 A5-11 A5-16 A5-17 shows at each field what is wrong with it, and sends nothing', async () => {
    await configure({ 'registration.fields': ['phoneNumber', 'birthdate'] })
    const { page } = await open()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('createAccount')) sent.push(request.url())
    })
    await visit(page, '/register/informations')
    const form = formOn(page)
    await form.submit.click()
    await expect.poll(async () => await form.said('Champ obligatoire')).toBe(7)
    await expect
      .poll(async () => await form.firstName.evaluate((field) => field === document.activeElement))
      .toBe(true)

    await form.firstName.fill('   ')
    await form.lastName.fill('é'.repeat(101))
    await form.email.fill('zoe@nowhere')
    await form.emailConfirm.fill('zoe@elsewhere.test')
    await form.password.fill('abc')
    await form.passwordConfirm.fill('abd')
    await form.phone.fill('06a12')
    expect(await form.phone.inputValue()).toBe('06 12')
    await form.birthdate.fill('31/02/2001')
    await form.terms.check({ force: true })
    await form.submit.click()
    for (const text of [
      'Champ obligatoire',
      'Ce texte est trop long',
      'Email invalide',
      'Les e-mails ne correspondent pas',
      'Ce mot de passe ne respecte pas toutes les règles',
      'Les mots de passe ne correspondent pas',
      'Le numéro de téléphone doit comporter dix chiffres',
      'Valeur incorrecte',
    ])
      await expect.poll(async () => await form.said(text), { message: text }).toBe(1)
    await form.birthdate.fill('1/1/2999')
    await form.birthdate.press('Tab')
    await expect.poll(async () => await form.said('Valeur incorrecte')).toBe(1)
    await form.birthdate.fill('8/2/1990')
    await expect.poll(async () => await form.said('Valeur incorrecte')).toBe(0)
    expect(sent).toEqual([])
    await expectSound(page, 'the form with its faults')
  })

  it('A5-12 A3-05 requires the configured fields, and keeps typed values over a reload, except passwords', async () => {
    await configure({
      'registration.fields': ['phoneNumber'],
      'registration.mandatory': ['addressCity', 'addressCountry'],
      'registration.repeat': [],
    })
    const { page } = await open()
    await visit(page, '/register/informations')
    const form = formOn(page)
    const city = form.form.getByLabel('Ville', { exact: true })
    const email = newAddress('brouillon')
    await form.firstName.fill('Anaïs')
    await form.lastName.fill('Vidal')
    await form.email.fill(email)
    await form.password.fill(PASSWORD)
    await city.fill('Saint-Étienne')
    await form.form.getByRole('button', { name: /Pays/ }).click()
    await page.getByRole('option', { name: 'Belgique' }).click()

    await page.reload()
    await expect.poll(async () => await form.firstName.inputValue()).toBe('Anaïs')
    expect(await form.email.inputValue()).toBe(email)
    expect(await city.inputValue()).toBe('Saint-Étienne')
    await form.form.getByRole('button', { name: /Belgique/ }).waitFor()
    expect(await form.password.inputValue()).toBe('')
    // No field has lost the focus, and the form was not sent, so no field shows an error.
    expect(await form.faults()).toBe(0)
    expect(await form.said('Champ obligatoire')).toBe(0)

    await city.fill('')
    await form.submit.click()
    await expect.poll(async () => await form.said('Champ obligatoire')).toBe(3)
    await city.fill('Saint-Étienne')
    await form.password.fill(PASSWORD)
    // The box moves up when the errors above it disappear.
    await expect.poll(async () => await form.said('Champ obligatoire')).toBe(1)
    await form.terms.check({ force: true })
    await form.submit.click()
    await goOn(page, email)
    expect(await emailsTo(dataDir, email, 1)).toHaveLength(1)
  })

  /** Opens the e-mail that activates an account, and follows its link to the sign-in form. */
  async function activate(page: Page, email: string): Promise<void> {
    const [letter] = await emailsTo(dataDir, email, 1)
    await visit(page, letter?.link ?? '')
    await page.getByRole('button', { name: 'Confirmer mon adresse' }).click()
    await page.getByRole('main').getByRole('link', { name: 'Se connecter' }).click()
    await page.getByRole('main').getByLabel('Adresse e-mail').waitFor()
  }

  /** Continues from the form to the summary, with a plan by its title. */
  async function choose(page: Page, email: string, plan: string): Promise<void> {
    await visit(page, '/register/informations')
    await fillIn(page, email)
    await formOn(page).submit.click()
    await page.getByRole('heading', { level: 1, name: 'Votre formule' }).waitFor()
    await page
      .getByRole('main')
      .getByRole('button', { name: `Choisir : ${plan}`, exact: true })
      .click()
    await page.getByRole('heading', { level: 1, name: 'Récapitulatif' }).waitFor()
    await page.getByRole('main').getByText(email).waitFor()
  }

  it('A2.1-08 A2.1-09 A2.1-10 A4.8-03 a plan is chosen during the registration, and paid on the summary after the e-mail was opened beside it', async () => {
    const { page, complaints } = await open()
    const main = page.getByRole('main')
    const email = newAddress('abonnee')
    await visit(page, '/register/informations')
    await fillIn(page, email)
    await formOn(page).submit.click()
    await page.getByRole('heading', { level: 1, name: 'Votre formule' }).waitFor()
    const response = await page.reload()
    // The plans are in the page from the server, so nothing moves when the page is hydrated.
    expect(await response?.text()).toMatch(/Choisir\s:\sCinéma et séries/)
    await alive(page)
    await main.getByText('Annuel', { exact: true }).click()
    await main.getByText('59,90').waitFor()
    await expectSound(page, 'the offers of a registration')
    await main.getByText('Mensuel', { exact: true }).click()
    await main.getByRole('button', { name: 'Choisir : Cinéma et séries', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Récapitulatif' }).waitFor()
    // The introductory price is due now. The full price is shown too.
    await main.getByText(/^4,49\s€$/).waitFor()
    await main.getByText(/· Pendant 3 mois, puis 8,99\s€ ·/).waitFor()
    await main.getByText('Sans engagement').waitFor()
    await main.getByText('Vous payez après avoir confirmé votre adresse.').waitFor()
    await main.getByText('Si vous avez un code promotionnel').waitFor()
    await expectSound(page, 'the summary before the address is confirmed', [1280])
    await main.getByRole('button', { name: 'Retour' }).click()
    await main.getByRole('button', { name: 'Choisir : Intégral', exact: true }).click()
    await main.getByText(/^0,00\s€$/).waitFor()
    await main.getByText(/^Rien à payer aujourd’hui\. .* débitée de 12,99\s€ à la fin de l’essai/).waitFor()
    await main.getByRole('button', { name: 'Retour' }).click()
    await main.getByRole('button', { name: 'Choisir : Cinéma', exact: true }).click()
    await main.getByText(/^5,99\s€$/).waitFor()

    const beside = await page.context().newPage()
    await activate(beside, email)
    await signInByForm(beside, email, PASSWORD)
    await beside.getByRole('heading', { level: 1, name: 'Votre panier' }).waitFor()
    await beside.close()

    await main.getByText('je renonce pour cela').click()
    await expectSound(page, 'the summary of a signed-in viewer, with the payment', [360])
    const [bank] = await Promise.all([
      page.waitForEvent('popup'),
      main.getByRole('button', { name: /^Payer 5,99/ }).click(),
    ])
    await Promise.all([bank.waitForEvent('close'), bank.getByRole('button', { name: /^Payer/ }).click()])
    await page.getByRole('heading', { level: 1, name: 'Confirmation de votre abonnement !' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/register/confirmation')
    expect((await callAs(page, listSubscriptions, {})).map(({ title }) => title)).toEqual(['Cinéma'])
    await main.getByRole('link', { name: 'Aller à l’accueil' }).click()
    await page.getByRole('button', { name: 'Compte : Zoé' }).waitFor()
    expect(complaints).toEqual([])
  })

  it('A2.1-08 A2.1-10 A6-01 the chosen plan is in the cart after a later sign-in, also from the e-mail', async () => {
    const { page } = await open()
    const main = page.getByRole('main')
    const email = newAddress('plus-tard')
    await choose(page, email, 'Cinéma')
    await main.getByRole('button', { name: 'Continuer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Consultez vos e-mails' }).waitFor()
    await main.getByText('Votre formule vous attend').waitFor()
    const later = main.getByRole('link', { name: 'Adresse confirmée ? Connectez-vous' })
    expect(await later.getAttribute('href')).toMatch(/^\/offers\/cart\?offerId=\d+$/)

    const beside = await page.context().newPage()
    await activate(beside, email)
    await beside.close()
    await later.click()
    await page.waitForURL(/\/auth\/login\?back=/)
    await signInByForm(page, email, PASSWORD)
    await page.getByRole('heading', { level: 1, name: 'Votre panier' }).waitFor()
    await main.getByRole('listitem').filter({ hasText: 'Cinéma' }).waitFor()
  })

  it('A4.2-01 A2.1-10 where no subscription is sold the e-mail step follows the form', async () => {
    await configure({ 'offers.subscription': 'disabled' })
    const { page } = await open()
    await visit(page, '/register/informations')
    await fillIn(page, newAddress('sans'))
    expect(await page.getByRole('banner').getByRole('listitem').count()).toBe(2)
    await formOn(page).submit.click()
    await page.getByRole('heading', { level: 1, name: 'Consultez vos e-mails' }).waitFor()
    expect(await page.getByText('Votre formule vous attend').count()).toBe(0)
  })

  it('A4.6-04 making a profile during the registration, or leaving its form, leads to the confirmation, except from the summary', async () => {
    const { page, complaints } = await open()
    const email = newAddress('pressee')
    await visit(page, '/register/informations')
    await fillIn(page, email)
    await formOn(page).submit.click()
    const offers = page.getByRole('heading', { level: 1, name: 'Votre formule' })
    await offers.waitFor()

    // Opens the e-mail in another tab and signs in there, while this tab still shows the choice of offers.
    const beside = await page.context().newPage()
    const [letter] = await emailsTo(dataDir, email, 1)
    await visit(beside, letter?.link ?? '')
    await beside.getByRole('button', { name: 'Confirmer mon adresse' }).click()
    await beside.getByRole('main').getByRole('link', { name: 'Se connecter' }).click()
    await signInByForm(beside, email, PASSWORD)
    const main = page.getByRole('main')
    const add = main.getByRole('button', { name: 'Ajouter un profil' })
    const form = page.getByRole('dialog', { name: 'Nouveau profil' })
    const ready = page.getByRole('heading', { level: 1, name: 'C’est prêt' })
    // The first tab loads its page again for the signed-in viewer.
    await add.waitFor()
    await alive(page)
    await add.click()
    await offers.waitFor()
    await beside.close()
    await form.getByLabel('Nom du profil').fill('Léo')
    await form.getByRole('button', { name: 'Créer le profil' }).click()
    await ready.waitFor()
    expect(new URL(page.url()).pathname).toBe('/register/confirmation')
    await main.getByText(email).waitFor()
    expect((await callAs(page, listProfiles, {})).map(({ name }) => name)).toEqual(['Zoé', 'Léo'])

    await visit(page, '/register/informations')
    await add.click()
    await form.getByRole('button', { name: 'Annuler' }).click()
    await ready.waitFor()
    expect(new URL(page.url()).pathname).toBe('/register/confirmation')

    const another = newAddress('autre')
    await visit(page, '/register/informations')
    await fillIn(page, another)
    await formOn(page).submit.click()
    await main.getByRole('button', { name: 'Choisir plus tard' }).click()
    const summary = page.getByRole('heading', { level: 1, name: 'Récapitulatif' })
    await summary.waitFor()
    await add.click()
    await form.waitFor()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await expectSound(page, 'the summary of a signed-in viewer', [1280])
    await summary.waitFor()
    expect(new URL(page.url()).pathname).toBe('/register/summary')
    await main.getByRole('button', { name: 'Continuer' }).click()
    await page.getByRole('heading', { level: 1, name: 'Consultez vos e-mails' }).waitFor()
    await main.getByText(another).waitFor()

    // When the viewer reaches this page by a sign-in, the chooser of profiles opens. The viewer can create a
    // profile there.
    await page.context().clearCookies()
    await visit(page, '/auth/login?back=/register/informations')
    await main.getByLabel('Adresse e-mail').fill(email)
    await main.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
    await main.getByRole('button', { name: 'Se connecter' }).click()
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    await chooser.getByRole('button', { name: 'Ajouter un profil' }).click()
    await form.getByRole('button', { name: 'Annuler' }).click()
    await ready.waitFor()
    expect(new URL(page.url()).pathname).toBe('/register/confirmation')
    expect(await chooser.count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

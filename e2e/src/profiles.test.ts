import { session } from '@ondine/contract/accounts'
import { setAdultCode, validateAdultCode } from '@ondine/contract/parental-code'
import {
  activateProfile,
  changeProfileSettings,
  createProfile,
  deleteProfile,
  listProfiles,
} from '@ondine/contract/profiles'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { alive, signIn, silence, visit } from './browser.ts'
import { axeFaults } from './checks.ts'
import { callAs, makePerson } from './people.ts'
import { pressPlay, videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

/** Fields of a grown-up's profile besides its name. */
const GROWN_UP = {
  language: 'fra',
  kidProfile: false,
  parentalControl: false,
  maximumMoralityLevel: 0,
} as const

describe('profiles and the parental code', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const service = sharedService()
  const { origin } = service

  /** Opens `path` as a new person who is signed in. */
  async function somebody(firstName: string, path: string): Promise<{ page: Page; complaints: string[] }> {
    const { email, password } = await makePerson(service, firstName)
    const watched = await open()
    await signIn(watched.page, email, password)
    await visit(watched.page, path)
    return watched
  }

  async function openMenu(page: Page, entry: string): Promise<void> {
    await page.getByRole('button', { name: /^Compte\s:/ }).click()
    await page.getByRole('banner').getByText(entry, { exact: true }).click()
  }

  async function giveCode(page: Page, code: string): Promise<Locator> {
    const asked = page.getByRole('dialog', { name: 'Code parental' })
    await asked.getByLabel('Code parental').fill(code)
    await page.keyboard.press('Enter')
    return asked
  }

  it('A2.3-05 A2.3-06 A2.3-07 A2.3-08 A3-11 A4.6-02 A4.6-03 A5-22 A5-24 A5-28 A6-04 A7.4-01 a child’s profile is made, watches, and can be left only with the code', async () => {
    const film = await findAsset(origin, 'La Houle')
    const { page, complaints } = await somebody('Ariane', film.detailRoute)
    await callAs(page, setAdultCode, { adultCode: '2468' })
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    const form = page.getByRole('dialog', { name: /profil$/ })

    await openMenu(page, 'Changer de profil')
    await chooser.getByRole('button', { name: /^Ariane/ }).waitFor()
    expect(await chooser.locator('[aria-current=true]').textContent()).toContain('Ariane')
    await chooser.getByRole('button', { name: 'Ajouter un profil' }).click()
    await form.getByRole('button', { name: 'Créer le profil' }).click()
    await form.getByText('Champ obligatoire').waitFor()
    await form.getByLabel('Nom du profil').fill('ariane')
    const pictures = form.getByRole('group', { name: 'Avatar' }).getByRole('button')
    await pictures.nth(2).click()
    const chosen = await pictures.nth(2).getAttribute('aria-label')
    await form.getByText('Le code parental est demandé pour changer de profil.').waitFor()
    await form.getByText('Contrôle parental').click()
    await form.getByText('Profil enfant').click()
    const control = form.getByRole('switch', { name: /Contrôle parental/ })
    // A child's profile always has a level.
    expect([await control.isDisabled(), await control.isChecked()]).toEqual([true, true])
    await form.getByRole('button', { name: /Limite d’âge/ }).click()
    await page.getByRole('option', { name: 'Jusqu’à 7 ans' }).click()
    expect(await axeFaults(page, '[role=dialog]')).toEqual([])
    await form.getByRole('button', { name: 'Créer le profil' }).click()
    await form.getByText('Ce nom existe déjà').waitFor()
    await form.getByLabel('Nom du profil').fill('Zoé 🎈')
    await form.getByRole('button', { name: 'Créer le profil' }).click()

    const child = chooser.getByRole('button', { name: /^Zoé 🎈/ })
    await child.getByText('Enfant').waitFor()
    await expect
      .poll(async () => await child.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(150)
    await child.click()
    await page.getByRole('button', { name: 'Compte : Zoé 🎈' }).waitFor()
    await page.waitForURL((url) => url.pathname === '/')
    const [, made] = await callAs(page, listProfiles, {})
    expect(made).toMatchObject({ kidProfile: true, maximumMoralityLevel: 1, default: false })
    expect(made?.avatarId).not.toBeNull()
    expect(chosen).toBeTruthy()

    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Coucou Zoé 🎈' }).waitFor()
    // The child does not see Ariane's film: the film is for ages ten and over.
    await page.goBack()
    await page.waitForURL((url) => url.pathname === film.detailRoute)
    await page.getByRole('heading', { level: 1, name: 'Cette vidéo n’est pas encore pour toi' }).waitFor()
    expect(await page.title()).not.toContain('La Houle')
    await alive(page)

    // Leaving a child's profile requires the parental code.
    await openMenu(page, 'Changer de profil')
    const asked = await giveCode(page, '1111')
    await asked.getByText('Code incorrect.').waitFor()
    await giveCode(page, '2468')
    await chooser.getByRole('button', { name: 'Gérer les profils' }).click()
    await chooser.getByRole('button', { name: 'Modifier Zoé 🎈' }).click()
    expect(await form.getByRole('button', { name: chosen ?? '' }).getAttribute('aria-pressed')).toBe('true')
    await form.getByLabel('Nom du profil').fill('Zoé')
    await form.getByRole('button', { name: 'Enregistrer' }).click()
    // The viewer has already entered the code, so the page does not ask again.
    await chooser.getByRole('button', { name: /^Zoé/ }).waitFor()
    await page
      .getByRole('button', { name: 'Compte : Zoé', includeHidden: true })
      .waitFor({ state: 'attached' })
    await chooser.getByRole('button', { name: 'Gérer les profils' }).click()
    await chooser.getByRole('button', { name: 'Modifier Zoé' }).click()
    await form.getByRole('button', { name: 'Supprimer le profil' }).click()
    await page
      .getByRole('dialog', { name: 'Supprimer Zoé ?' })
      .getByRole('button', { name: 'Supprimer le profil' })
      .click()
    // The profile that remains becomes the active profile.
    await expect
      .poll(async () => await chooser.locator('[aria-current=true]').textContent())
      .toContain('Ariane')
    expect(await chooser.getByRole('listitem').count()).toBe(1)
    await page.keyboard.press('Escape')
    await chooser.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Compte : Ariane' }).waitFor()

    await visit(page, '/live')
    // The default profile can be neither made a child's nor deleted.
    await openMenu(page, 'Changer de profil')
    await chooser.getByRole('button', { name: 'Gérer les profils' }).click()
    await chooser.getByRole('button', { name: 'Modifier Ariane' }).click()
    await form.getByRole('button', { name: 'Enregistrer' }).waitFor()
    expect(await form.getByText('Profil enfant').count()).toBe(0)
    expect(await form.getByRole('button', { name: 'Supprimer le profil' }).count()).toBe(0)
    // A change of the limits of the active profile leads to home.
    await form.getByText('Contrôle parental').click()
    await form.getByRole('button', { name: 'Enregistrer' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await chooser.getByRole('button', { name: /^Ariane/ }).waitFor()
    // Three refusals are expected: of a taken name (409), of a wrong code (403), and of a title above the child's level
    // (404).
    expect(complaints.filter((each) => !/\b(409|403|404)\b/.test(each))).toEqual([])
  })

  it('A2.3-08 a profile whose form is closed while it is stored has its new name on the page', async () => {
    const { page } = await somebody('Gaspard', '/live')
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    const form = page.getByRole('dialog', { name: /profil$/ })
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/crm/profile/*', async (route) => {
      if (route.request().method() === 'PUT') await released
      await route.continue()
    })
    await openMenu(page, 'Changer de profil')
    await chooser.getByRole('button', { name: 'Gérer les profils' }).click()
    await chooser.getByRole('button', { name: 'Modifier Gaspard' }).click()
    await form.getByLabel('Nom du profil').fill('Gaston')
    await form.getByRole('button', { name: 'Enregistrer' }).click()
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    release()
    await page
      .getByRole('button', { name: 'Compte : Gaston', includeHidden: true })
      .waitFor({ state: 'attached' })
    await page.unrouteAll({ behavior: 'wait' })
  })

  it('A4.6-01 V2.4-16 A2.3-07 after a sign-in with several profiles the chooser asks for one, and home follows another choice', async () => {
    const { email, password } = await makePerson(service, 'Basile')
    const { page } = await open()
    await signIn(page, email, password)
    await callAs(page, createProfile, { ...GROWN_UP, name: 'Léonie' })
    const main = page.getByRole('main')
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    async function enter(): Promise<void> {
      await page.context().clearCookies()
      await visit(page, '/auth/login?back=/account/favorites')
      await main.getByLabel('Adresse e-mail').fill(email)
      await main.getByLabel('Mot de passe', { exact: true }).fill(password)
      await main.getByRole('button', { name: 'Se connecter' }).click()
    }
    await configure({ 'accounts.isSwitchProfileModalEnabled': false })
    await enter()
    await main.getByRole('heading', { level: 1, name: 'Ma liste' }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await chooser.count()).toBe(0)
    await configure({ 'accounts.isSwitchProfileModalEnabled': true })

    await enter()
    await chooser.waitFor()
    await page.waitForURL('**/account/favorites')
    expect(await chooser.locator('[aria-current=true]').textContent()).toContain('Basile')
    await chooser.getByRole('button', { name: /^Léonie/ }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await page.getByRole('button', { name: 'Compte : Léonie' }).waitFor()

    // The operator now allows one profile, but this account has two already.
    await configure({ 'accounts.isMultiProfileEnabled': false })
    await enter()
    await chooser.waitFor()
    await page.keyboard.press('Escape')
    await openMenu(page, 'Changer de profil')
    await chooser.getByRole('button', { name: 'Ajouter un profil' }).waitFor()
  })

  it('A2.1-35 A5-18 A5-19 A5-20 A5-21 the code can be set, and changed with the old code, from the default profile', async () => {
    const { page } = await somebody('Côme', '/account/parental-code')
    const form = page.getByRole('form', { name: 'Code parental' })
    const type = async (label: string, code: string) =>
      await form.getByLabel(label, { exact: true }).fill(code)
    await form.getByRole('button', { name: 'Définir le code' }).click()
    await expect.poll(async () => await form.getByText('Champ obligatoire').count()).toBe(2)
    await type('Nouveau code', '12')
    await form.getByText('Le code doit comporter quatre chiffres').waitFor()
    await type('Nouveau code', '1234')
    await type('Confirmer le nouveau code', '1235')
    await form.getByRole('button', { name: 'Définir le code' }).click()
    await form.getByText('Les codes parentaux sont différents').waitFor()
    await type('Confirmer le nouveau code', '1234')
    const answerAgain = await silence(page, setAdultCode)
    await form.getByRole('button', { name: 'Définir le code' }).click()
    await form.getByRole('alert').getByText('Le service ne répond pas.').waitFor()
    await answerAgain()
    const isCall = `**${setAdultCode.path}`
    await page.route(isCall, async (route) => {
      const answer = await (await page.request.post(`${origin}${setAdultCode.path}`)).json()
      await route.fulfill({ status: 500, json: { ...answer, error: { ...answer.error, code: -2 } } })
    })
    await form.getByRole('button', { name: 'Définir le code' }).click()
    await form.getByRole('alert').getByText('Le code parental n’a pas pu être enregistré.').waitFor()
    await page.unroute(isCall)
    await form.getByRole('button', { name: 'Définir le code' }).click()
    const done = page.getByRole('alertdialog', { name: 'C’est fait' })
    await done.getByText('Votre code parental a été mis à jour.').waitFor()
    await page.keyboard.press('Enter')
    await done.waitFor({ state: 'detached' })

    await type('Code actuel', '9999')
    await type('Nouveau code', '2468')
    await type('Confirmer le nouveau code', '2468')
    await form.getByRole('button', { name: 'Changer le code' }).click()
    await form.getByText('Le code parental saisi est incorrect').waitFor()
    await type('Code actuel', '1234')
    await form.getByRole('button', { name: 'Changer le code' }).click()
    await done.waitFor()
    await page.keyboard.press('Enter')
    await done.waitFor({ state: 'detached' })
    expect(await form.getByLabel('Nouveau code', { exact: true }).inputValue()).toBe('')
    expect(await form.locator('[aria-invalid=true]').count()).toBe(0)

    const { id } = await callAs(page, createProfile, { ...GROWN_UP, name: 'Élise' })
    await callAs(page, activateProfile, { idProfile: id })
    await visit(page, '/account/parental-code')
    await page.getByText('Le code parental se modifie depuis le profil principal.').waitFor()
    const menu = page.getByRole('navigation', { name: 'Réglages du compte' })
    expect(await menu.getByRole('link', { name: 'Code parental' }).count()).toBe(0)
    expect(await menu.getByRole('link', { name: 'Appareils' }).count()).toBe(1)
  })

  it('A8.2-02 A5-25 A5-26 a child’s profile can be made where the operator allows it and a grown-up’s profile exists, up to the limit', async () => {
    await configure({ 'accounts.isKidProfileCreationEnabled': false, 'accounts.maximumProfiles': 2 })
    const { page } = await somebody('Agathe', '/live')
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    const form = page.getByRole('dialog', { name: 'Nouveau profil' })
    const make = async (name: string) => {
      await chooser.getByRole('button', { name: 'Ajouter un profil' }).click()
      await form.getByLabel('Nom du profil').fill(name)
    }
    await openMenu(page, 'Changer de profil')
    await make('Tom')
    // Without a parental code, the form does not say that the code keeps a child in the profile.
    await form.getByText('sinon l’enfant peut changer de profil').waitFor()
    const answerAgain = await silence(page, createProfile)
    await form.getByRole('button', { name: 'Créer le profil' }).click()
    await form.getByRole('alert').getByText('Le service des comptes ne répond pas.').waitFor()
    await answerAgain()
    await form.getByText('Profil enfant').click()
    await form.getByRole('alert').getByText('Les profils enfant ne sont pas disponibles.').waitFor()
    expect(await form.getByRole('switch', { name: /Profil enfant/ }).isChecked()).toBe(false)
    await form.getByRole('button', { name: 'Créer le profil' }).click()
    await chooser.getByRole('button', { name: /^Tom/ }).waitFor()
    await make('Ève')
    await form.getByRole('button', { name: 'Créer le profil' }).click()
    await form.getByRole('alert').getByText('Le nombre maximal de profils est atteint.').waitFor()
    // The entered values are still there.
    expect(await form.getByLabel('Nom du profil').inputValue()).toBe('Ève')
  })

  it('A7.1-20 A8.3-06 after five wrong codes the right code must wait too', async () => {
    const { page } = await somebody('Benoît', '/live')
    await callAs(page, setAdultCode, { adultCode: '2468' })
    const { id } = await callAs(page, createProfile, {
      ...GROWN_UP,
      name: 'Cléa',
      kidProfile: true,
      maximumMoralityLevel: 1,
    })
    await callAs(page, activateProfile, { idProfile: id })
    await visit(page, '/live')
    await openMenu(page, 'Changer de profil')
    // A call without an answer does not count as a try.
    const answerAgain = await silence(page, validateAdultCode)
    await (await giveCode(page, '2468')).getByText('Impossible de vérifier le code.').waitFor()
    await answerAgain()
    for (let tries = 0; tries < 5; tries += 1) {
      const asked = await giveCode(page, '1111')
      await asked.getByText('Code incorrect.').waitFor()
      await expect.poll(async () => await asked.getByLabel('Code parental').inputValue()).toBe('')
    }
    const asked = await giveCode(page, '2468')
    await asked.getByText('Doucement ! Trop de tentatives. Veuillez réessayer plus tard.').waitFor()
    await page.keyboard.press('Escape')
    await asked.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Compte : Cléa' }).waitFor()
  })

  it('A3-10 V3-54 a profile’s preferences are stored in the order of the choices, and a choice that fails is not kept', async () => {
    const { page } = await somebody('Dorothée', '/all-content')
    const path = `**${changeProfileSettings.path}`
    const sorting = page.getByRole('main').getByRole('button', { name: /Trier/ })
    const choose = async (order: string) => {
      await sorting.click()
      await page.getByRole('option', { name: order }).click()
    }
    const sent: string[] = []
    const { promise: answered, resolve: answer } = Promise.withResolvers<undefined>()
    await page.route(path, async (route) => {
      sent.push(route.request().postData() ?? '')
      if (sent.length === 1) await answered
      await route.continue()
    })
    await choose('Titre, de A à Z')
    await expect.poll(() => sent.length).toBe(1)
    await choose('Titre, de Z à A')
    await sorting.getByText('Titre, de Z à A').waitFor()
    expect(sent).toHaveLength(1)
    answer(undefined)
    await expect.poll(() => sent.length).toBe(2)
    await expect
      .poll(async () => (await callAs(page, session, {})).profile?.settings.categorySortingOption)
      .toBe('descendant')
    await page.unrouteAll({ behavior: 'wait' })

    await page.route(path, async (route) => await route.abort('connectionrefused'))
    await choose('Au hasard')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Enter')
    // The next list uses the stored order, because the service has not accepted the new one.
    await page.getByRole('banner').getByRole('link', { name: 'Films' }).click()
    await page.waitForURL((url) => url.pathname !== '/all-content')
    await sorting.getByText('Titre, de Z à A').waitFor()
  })

  it('V4-14 A6-06 A6-07 V5-02 a title above an adult’s level asks for the code on playback, and plays with it', async () => {
    const film = await findAsset(origin, 'La Houle')
    const { page } = await open()
    await signIn(page, 'subscriber@ondine.test')
    const { id } = await callAs(page, createProfile, {
      ...GROWN_UP,
      name: `Prudence ${Date.now()}`,
      parentalControl: true,
      maximumMoralityLevel: 1,
    })
    try {
      await callAs(page, activateProfile, { idProfile: id })
      const licences: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/licence')) licences.push(request.url())
      })
      await visit(page, film.detailRoute)
      await pressPlay(page)
      const asked = await giveCode(page, '1111')
      await asked.getByText('Code incorrect.').waitFor()
      // Without the right code, the player requests no licence.
      expect(licences).toEqual([])
      expect(
        await page
          .locator('video')
          .evaluateAll((videos) => videos.filter((video) => (video as HTMLVideoElement).currentTime > 0)),
      ).toEqual([])
      await giveCode(page, '2580')
      await expect
        .poll(async () => (await videoState(page)).position, { timeout: 60_000 })
        .toBeGreaterThan(0.5)
      expect(licences).not.toEqual([])
    } finally {
      await callAs(page, deleteProfile, { id })
    }
  })
})

import { createProfile, deleteProfile } from '@ondine/contract/profiles'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { callAs, makePerson } from './people.ts'
import { videoState } from './screen.ts'
import { findAsset } from './service-calls.ts'
import { sharedService } from './shared-service.ts'
import { tabTo } from './tab-to.ts'
import { testBrowser } from './test-browser.ts'

async function press(page: Page, name: RegExp): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

async function enter(page: Page, email: string, password: string): Promise<void> {
  await visit(page, '/auth/login?back=/live')
  await tabTo(page, /^Adresse e-mail/)
  await page.keyboard.type(email)
  await tabTo(page, /^Mot de passe$/)
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

/** Chooses an entry of the profile menu. */
async function choose(page: Page, entry: RegExp): Promise<void> {
  await press(page, /^Compte\s:/)
  await press(page, entry)
}

describe('by keyboard alone', () => {
  const open = testBrowser()
  const service = sharedService()

  it('A2.3-05 A2.3-08 A2.3-11 A4.6-03 A5-20 a viewer signs in, sets the parental code, makes a child’s profile, leaves it with the code, and pairs a television', async () => {
    const { email, password } = await makePerson(service, 'Odile')
    const { page, complaints } = await open()
    await enter(page, email, password)
    await page.getByRole('button', { name: 'Compte : Odile' }).waitFor()
    await page.waitForURL('**/live')

    await choose(page, /^Réglages/)
    await page.waitForURL((url) => url.pathname.startsWith('/account/'))
    await press(page, /^Code parental$/)
    await page.waitForURL((url) => url.pathname === '/account/parental-code')
    for (const field of [/^Nouveau code/, /^Confirmer le nouveau code/]) {
      await tabTo(page, field)
      await page.keyboard.type('2468')
    }
    await page.keyboard.press('Enter')
    const done = page.getByRole('alertdialog', { name: 'C’est fait' })
    await done.waitFor()
    await page.keyboard.press('Enter')
    await done.waitFor({ state: 'detached' })

    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    await choose(page, /^Changer de profil$/)
    await chooser.waitFor()
    await press(page, /^Ajouter un profil$/)
    await page.getByRole('dialog', { name: 'Nouveau profil' }).waitFor()
    await tabTo(page, /^Nom du profil/)
    await page.keyboard.type('Zoé')
    await tabTo(page, /^Profil enfant/)
    await page.keyboard.press('Space')
    await press(page, /^Créer le profil$/)
    await chooser.getByRole('button', { name: /^Zoé/ }).waitFor()
    await press(page, /^Zoé/)
    await page.getByRole('button', { name: 'Compte : Zoé' }).waitFor()

    await choose(page, /^Changer de profil$/)
    const asked = page.getByRole('dialog', { name: 'Code parental' })
    await asked.waitFor()
    await tabTo(page, /^Code parental/)
    await page.keyboard.type('1111')
    await page.keyboard.press('Enter')
    await asked.getByText('Code incorrect.').waitFor()
    await tabTo(page, /^Code parental/)
    await page.keyboard.type('2468')
    await page.keyboard.press('Enter')
    await chooser.waitFor()
    await press(page, /^Odile/)
    await page.getByRole('button', { name: 'Compte : Odile' }).waitFor()

    const television = await open({
      userAgent: 'Mozilla/5.0 (Linux; Tizen 8.0; SmartTV) Chrome/120.0.0.0 TV',
    })
    await television.page.goto('/pair')
    await television.page.getByRole('img', { name: /scanner ce code/ }).waitFor()
    const code = (await television.page.getByLabel('Code à saisir').textContent()) ?? ''
    await choose(page, /^Réglages/)
    await page.waitForURL((url) => url.pathname.startsWith('/account/'))
    await press(page, /^Appareils$/)
    await page.waitForURL((url) => url.pathname === '/account/devices')
    await press(page, /^Ajouter un téléviseur$/)
    await page.getByRole('dialog').waitFor()
    await tabTo(page, /^Code affiché à l’écran/)
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /^Associer .+ \?$/ }).waitFor()
    await press(page, /^Associer$/)
    await page.getByRole('dialog', { name: 'C’est fait' }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await television.page.getByRole('button', { name: 'Compte : Odile' }).waitFor()
    expect(complaints.filter((each) => !/\b403\b/.test(each))).toEqual([])
  })

  it('A4.6-01 A6-06 V5-02 a viewer chooses a profile after the sign-in, and enters the parental code for a title', async () => {
    const film = await findAsset(service.origin, 'La Houle')
    const { page } = await open()
    await enter(page, 'subscriber@ondine.test', 'Ondine-2026!')
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    await chooser.waitFor()
    const name = `Prudence ${Date.now()}`
    const { id } = await callAs(page, createProfile, {
      name,
      language: 'fra',
      kidProfile: false,
      parentalControl: true,
      maximumMoralityLevel: 1,
    })
    try {
      await page.keyboard.press('Escape')
      await chooser.waitFor({ state: 'detached' })
      await choose(page, /^Changer de profil$/)
      await chooser.getByRole('button', { name: new RegExp(name) }).waitFor()
      await press(page, new RegExp(`^${name}`))
      await page.getByRole('button', { name: `Compte : ${name}` }).waitFor()
      await visit(page, film.detailRoute)
      await press(page, /^Lecture/)
      const asked = page.getByRole('dialog', { name: 'Code parental' })
      await asked.waitFor()
      await tabTo(page, /^Code parental/)
      await page.keyboard.type('2580')
      await page.keyboard.press('Enter')
      await expect
        .poll(async () => (await videoState(page)).position, { timeout: 60_000 })
        .toBeGreaterThan(0.5)
      await page.keyboard.press('Space')
      await expect.poll(async () => (await videoState(page)).paused).toBe(true)
    } finally {
      await callAs(page, deleteProfile, { id })
    }
  })
})

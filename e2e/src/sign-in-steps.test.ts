import { updatePassword } from '@ondine/contract/account-calls'
import { oauthToken } from '@ondine/contract/accounts'
import { casAvailableDevice } from '@ondine/contract/devices'
import type { OutputOf } from '@ondine/contract/operation'
import { createProfile, deleteProfile } from '@ondine/contract/profiles'
import type { Request } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { visit } from './browser.ts'
import { callAs, makePerson, signInByForm } from './people.ts'
import { sharedService } from './shared-service.ts'
import { testBrowser, testConfiguration } from './test-browser.ts'

describe('the steps after a sign-in, and its end', () => {
  const open = testBrowser()
  const configure = testConfiguration()
  const service = sharedService()
  const { origin } = service

  it('A4.3-03 A4.3-04 A8.3-15 the consent comes first, then the profiles, then the device, one after the other; a profile that cannot be deleted causes an alert', async () => {
    const person = await makePerson(service, 'Solène')
    await configure({ 'accounts.isAllowedToRegister': false, 'accounts.consent.mode': 'once' })
    const { page } = await open()
    await visit(page, '/auth/login')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const main = page.getByRole('main')
    await main.getByLabel('Adresse e-mail').fill(person.email)
    await main.getByLabel('Mot de passe', { exact: true }).fill(person.password)
    await main.getByRole('button', { name: 'Se connecter' }).click()
    const consent = page.getByRole('dialog', { name: 'Vos données' })
    await consent.waitFor()
    expect(asked).not.toContain('/proxy/casAddDevice')
    await consent.getByRole('button', { name: 'Accepter' }).click()
    await page.getByRole('button', { name: 'Compte : Solène' }).waitFor()
    await expect.poll(() => asked.includes('/proxy/casAddDevice')).toBe(true)
    let at = -1
    for (const step of ['/oauth/token', '/proxy/changeDetails', '/proxy/session', '/proxy/casAddDevice']) {
      at = asked.indexOf(step, at + 1)
      expect(at, `${step} among ${asked.join(' ')}`).toBeGreaterThan(-1)
    }

    // Loads a new page, because the sign-in on the old page would open the chooser when a second profile exists.
    await visit(page, '/live')
    const { id } = await callAs(page, createProfile, {
      name: 'Gwenn',
      language: 'fra',
      kidProfile: false,
      parentalControl: false,
      maximumMoralityLevel: 6,
    })
    await page.getByRole('button', { name: /^Compte\s:/ }).click()
    await page.getByRole('banner').getByText('Changer de profil', { exact: true }).click()
    const chooser = page.getByRole('dialog', { name: 'Qui regarde ?' })
    await chooser.getByRole('button', { name: 'Gérer les profils' }).click()
    await chooser.getByRole('button', { name: 'Modifier Gwenn' }).click()
    const remove = page.getByRole('button', { name: 'Supprimer le profil' })
    await remove.waitFor()
    // Another client deletes the profile before the viewer does.
    await callAs(page, deleteProfile, { id })
    await remove.click()
    const sure = page.getByRole('dialog', { name: 'Supprimer Gwenn ?' })
    await sure.getByRole('button', { name: 'Supprimer le profil' }).click()
    await page.getByText('Le profil n’a pas pu être supprimé', { exact: true }).waitFor()
  })

  it('V7-03 A4.4-04 every call of a page carries the storefront’s key, and after the sign-in the tokens of account, profile and device, which no script can read; a token that nothing renews signs out, forgets the device and leads to the sign-in and back', async () => {
    const { email, password } = await makePerson(service, 'Gaël')
    const { page } = await open()
    const carried: { call: string; key: string | undefined; cookies: string[] }[] = []
    const noteCarried = async (path: string, request: Request) => {
      const headers = await request.allHeaders()
      const cookies = (headers.cookie ?? '').split('; ').map((cookie) => cookie.split('=')[0] ?? '')
      carried.push({ call: path, key: headers['x-identity-key'], cookies })
    }
    let listening: Promise<void>[] = []
    // Only finished requests have readable headers. A navigation can abort other requests.
    page.on('requestfinished', (request) => {
      const { pathname } = new URL(request.url())
      // Requests for pictures are not calls.
      if (!pathname.startsWith('/proxy/') || request.resourceType() !== 'fetch') return
      listening.push(noteCarried(pathname, request))
    })
    /** Waits for the headers of all calls so far. @returns the calls since the previous check */
    const heard = async () => {
      await Promise.all(listening)
      listening = []
      return carried.splice(0)
    }
    const TOKENS = ['ondine_account', 'ondine_profile', 'ondine_device']
    await visit(page, '/')
    await page.getByRole('link', { name: 'Direct' }).first().click()
    await page.waitForURL((url) => url.pathname === '/live')
    const asVisitor: typeof carried = []
    await expect.poll(async () => asVisitor.push(...(await heard()))).toBeGreaterThan(0)
    await visit(page, '/auth/login?back=/account/devices')
    asVisitor.push(...(await heard()))
    for (const { call, key, cookies } of asVisitor) {
      expect(key, call).toBe('demo')
      expect(
        cookies.filter((name) => TOKENS.includes(name)),
        call,
      ).toEqual([])
    }
    await signInByForm(page, email, password)
    await page.waitForURL((url) => url.pathname === '/account/devices')
    // The device token makes the list of devices mark this browser as the current device.
    await page.getByRole('main').getByText('Cet appareil', { exact: true }).waitFor()
    const kept = await page.context().cookies()
    expect(kept.filter(({ httpOnly }) => httpOnly).map(({ name }) => name)).toEqual(
      expect.arrayContaining(TOKENS),
    )
    await heard()
    await visit(page, '/')
    await page.getByRole('button', { name: 'Compte : Gaël' }).click()
    await page.getByRole('link', { name: 'Appareils' }).first().click()
    await page.waitForURL((url) => url.pathname === '/account/devices')
    await page.getByRole('main').getByText('Cet appareil', { exact: true }).waitFor()
    const calls: typeof carried = []
    const hear = async () => {
      calls.push(...(await heard()))
      return calls.map(({ call }) => call)
    }
    await expect.poll(hear).toContain(casAvailableDevice.path)
    for (const { call, key, cookies } of calls) {
      expect(key, call).toBe('demo')
      expect(cookies, call).toEqual(expect.arrayContaining(TOKENS))
    }

    const names = async () => (await page.context().cookies()).map(({ name }) => name)
    await expect.poll(names).toContain('device')
    // Changes the password in another client, which ends the earlier sign-ins.
    const next = 'Marée-basse-10'
    const elsewhere = await fetch(origin + oauthToken.path, {
      method: 'POST',
      body: new URLSearchParams({ username: email, password, grant_type: 'password' }),
    })
    const { access_token } = (await elsewhere.json()) as OutputOf<typeof oauthToken>
    const changed = await fetch(origin + updatePassword.path, {
      method: 'POST',
      headers: { 'x-auth-token': access_token },
      body: new URLSearchParams({ currentPassword: password, password: next, passwordConfirm: next }),
    })
    expect(changed.status).toBe(200)

    const menu = page.getByRole('navigation', { name: 'Réglages du compte' })
    await menu.getByRole('link', { name: 'Ma liste' }).click()
    await page.waitForURL((url) => url.pathname === '/auth/login')
    expect(new URL(page.url()).searchParams.get('back')).toContain('/account/')
    const left = await names()
    for (const name of ['ondine_account', 'ondine_profile', 'ondine_device', 'device'])
      expect(left).not.toContain(name)
    await page.getByRole('heading', { level: 1, name: 'Se connecter' }).waitFor()
    expect(await page.getByRole('button', { name: 'Compte : Gaël' }).count()).toBe(0)

    // The next sign-in registers a device again, although the page has not been reloaded.
    await signInByForm(page, email, next)
    await expect.poll(names).toContain('ondine_device')
    const devices = await callAs(page, casAvailableDevice, {})
    expect(devices.map(({ current }) => current)).toEqual([true])
  })
})

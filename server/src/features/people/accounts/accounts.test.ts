import { loginDevice } from '@ondine/contract/account-calls'
import { accountDetails, logout, oauthToken, session } from '@ondine/contract/accounts'
import { casAddDevice } from '@ondine/contract/devices'
import { activateProfile, listProfiles } from '@ondine/contract/profiles'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { DATABASES, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { createAccount } from '../profiles/new-account.service.ts'
import { profiles } from '../profiles/profiles.table.ts'

const PASSWORD = 'Ondine-2026!'

describe.each(DATABASES)('signing in, on a database of kind %s', (kind) => {
  let service: TestService
  const grant = { username: 'camille@ondine.test', password: PASSWORD, grant_type: 'password' } as const

  beforeAll(async () => {
    service = await startTestService(kind)
    const storefront = service.context.storefronts.first()
    for (const [email, status] of [
      ['camille@ondine.test', 'ACTIVE'],
      ['other@ondine.test', 'ACTIVE'],
      ['pending@ondine.test', 'PENDING_ACTIVATION'],
      ['banned@ondine.test', 'BANNED'],
    ] as const) {
      await createAccount(service.context.db, storefront.id, {
        email,
        password: PASSWORD,
        firstName: 'Camille',
        status,
        profiles: [{ name: 'Camille' }, { name: 'Lou', kid: true, maximumMoralityLevel: 2 }],
      })
    }
  })
  afterAll(async () => await service.remove())

  async function tokens(email: string = grant.username) {
    const { result } = await service.call(oauthToken, { ...grant, username: email })
    return { 'x-auth-token': result.access_token }
  }

  it('A7.3-02 issues a token for a user name and a password', async () => {
    const { status, result } = await service.call(oauthToken, { ...grant, username: ' Camille@Ondine.test ' })
    expect(status).toBe(200)
    expect(result).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 24 * 3600 })
  })

  it('A8.2-01 answers the same error for an unknown address, a wrong password and a banned account', async () => {
    for (const wrong of [
      { password: 'nope' },
      { username: 'nobody@ondine.test' },
      { username: 'banned@ondine.test' },
    ]) {
      const { status, error } = await service.call(oauthToken, { ...grant, ...wrong })
      expect(status).toBe(401)
      expect(error).toMatchObject({ code: -3000, message: 'Informations de connexion invalides' })
    }
  })

  it('A8.1-06 tells the holder of an account that is not activated', async () => {
    const { status, error } = await service.call(oauthToken, { ...grant, username: 'pending@ondine.test' })
    expect([status, error.code]).toEqual([403, -2334])
  })

  it('A7.1-04 accountDetails returns the account that is signed in, and -1 without a token', async () => {
    const { result } = await service.call(accountDetails, {}, await tokens())
    expect(result).toMatchObject({ email: 'camille@ondine.test', firstName: 'Camille', status: 'ACTIVE' })
    const refused = await service.call(accountDetails, {})
    expect([refused.status, refused.error.code]).toEqual([401, -1])
  })

  it('refuses forged tokens, tokens of other services and expired tokens', async () => {
    const good = await tokens()
    const [head, , tail] = good['x-auth-token'].split('.')
    const claims = Buffer.from(
      JSON.stringify({ sub: '1', storefront: 1, aud: 'account', exp: 9e9 }),
    ).toString('base64url')
    for (const bad of [
      `${head}.${claims}.${tail}`,
      `${head}.${claims}.`,
      'x',
      '..',
      `${good['x-auth-token']}x`,
    ]) {
      const { status, error } = await service.call(accountDetails, {}, { 'x-auth-token': bad })
      expect([status, error.code]).toEqual([401, -1])
    }
    service.clock.advance(24 * 3600_000 + 1)
    const late = await service.call(accountDetails, {}, good)
    expect([late.status, late.error.code]).toEqual([401, -1])
  })

  it('A7.3-03 A4.6-05 lists the profiles with the default one first', async () => {
    const { result } = await service.call(listProfiles, {}, await tokens())
    expect(result).toMatchObject([
      { name: 'Camille', default: true, kidProfile: false },
      { name: 'Lou', default: false, kidProfile: true, maximumMoralityLevel: 2 },
    ])
  })

  it('A7.3-08 activates a profile, and does not find one of another account', async () => {
    const mine = await tokens()
    const profiles = (await service.call(listProfiles, {}, mine)).result
    const lou = profiles[1]!.id
    const { result } = await service.call(activateProfile, { idProfile: lou }, mine)
    const active = await service.call(session, {}, { ...mine, 'x-profile-token': result.profileToken })
    expect(active.result.profile).toMatchObject({ id: lou, kidProfile: true })

    const other = await service.call(activateProfile, { idProfile: lou }, await tokens('other@ondine.test'))
    expect([other.status, other.error.code]).toEqual([404, -404])
  })

  it('V1-12 V2.4-16 an account with several profiles can switch, after the operator has disabled several', async () => {
    const mine = await tokens()
    const { actor } = buildersOf(service.context)
    const single = (await actor()).tokens
    const isMultiProfile = async (headers: Tokens) =>
      (await service.call(session, {}, headers)).result.account?.isMultiProfile
    expect([await isMultiProfile(mine), await isMultiProfile(single)]).toEqual([true, true])
    const configuration = await changeConfigurationOf(service, { 'accounts.isMultiProfileEnabled': false })
    expect([await isMultiProfile(mine), await isMultiProfile(single)]).toEqual([true, false])
    await configuration.undo()
  })

  it('refuses a profile token together with an account token of another account', async () => {
    const mine = await tokens()
    const [profile] = (await service.call(listProfiles, {}, mine)).result
    const { result } = await service.call(activateProfile, { idProfile: profile!.id }, mine)
    const mixed = await service.call(
      session,
      {},
      { ...(await tokens('other@ondine.test')), 'x-profile-token': result.profileToken },
    )
    expect([mixed.status, mixed.error.code]).toEqual([401, -1])
  })

  it('A3-16 A4.3-04 sets three token cookies, the first two with their expiry; the default profile watches', async () => {
    const send = async (url: string, fields: Record<string, string>, cookies: Record<string, string> = {}) =>
      await service.app.inject({
        method: 'POST',
        url,
        cookies,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          'x-identity-key': service.context.storefronts.first().apiKey,
        },
        payload: new URLSearchParams(fields).toString(),
      })
    const kept = (answer: Awaited<ReturnType<typeof send>>) =>
      Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]))
    const signedIn = kept(await send('/oauth/token', grant))
    const device = kept(await send(casAddDevice.path, { deviceUniqueId: 'cookie-test' }, signedIn))
    const cookies = { ...signedIn, ...device }
    const claims = (name: string): Record<string, unknown> =>
      JSON.parse(Buffer.from(cookies[name]?.split('.')[1] ?? '', 'base64url').toString())
    const end = Math.floor(service.clock.now() / 1000) + 24 * 3600
    expect(claims('ondine_account')).toMatchObject({ aud: 'account', exp: end })
    expect(claims('ondine_profile')).toMatchObject({ aud: 'profile', exp: end })
    expect(claims('ondine_device')).toMatchObject({ aud: 'device' })
    const { result } = (await send(session.path, {}, cookies)).json()
    expect(result.profile).toMatchObject({ name: 'Camille', default: true })
  })

  it('A8.3-15 refuses to sign in an account without profiles', async () => {
    const { db, storefronts } = service.context
    const { account } = await createAccount(db, storefronts.first().id, {
      email: 'nobody-watches@ondine.test',
      password: PASSWORD,
      profiles: [{ name: 'Camille' }],
    })
    await db.delete(profiles).where(eq(profiles.accountId, account.id))
    const refused = await service.call(oauthToken, { ...grant, username: account.email })
    expect([refused.status, refused.error.code]).toEqual([404, -404])
  })

  it('A4.4-04 clears cookies that cannot be renewed, and the device’s own id', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: loginDevice.path,
      cookies: { ondine_account: 'ended', ondine_device: 'forged', device: 'some-browser' },
      headers: { 'x-identity-key': service.context.storefronts.first().apiKey },
    })
    expect([answer.statusCode, answer.json().error.code]).toEqual([401, -1])
    const gone = answer.cookies.filter(({ value }) => value === '').map(({ name }) => name)
    expect(new Set(gone)).toEqual(new Set(['ondine_account', 'ondine_profile', 'ondine_device', 'device']))
  })

  it('sets cookies that scripts cannot read, and requires x-identity-key with them', async () => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(grant).toString(),
    })
    expect(answer.cookies).toMatchObject(
      ['ondine_account', 'ondine_profile'].map((name) => ({
        name,
        httpOnly: true,
        sameSite: 'Lax',
      })),
    )
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    const crossSite = await service.call(accountDetails, {}, { cookie })
    expect([crossSite.status, crossSite.error.code]).toEqual([403, -403])
    const own = await service.call(accountDetails, {}, { cookie, 'x-identity-key': 'ondine' })
    expect(own.result.email).toBe('camille@ondine.test')
  })

  it('A7.1-11 signing out clears the cookies and never fails', async () => {
    expect((await service.call(logout, {})).status).toBe(200)
    expect((await service.call(logout, {}, { 'x-identity-key': 'ondine' })).result).toBeNull()
  })

  it('names the fields of an invalid input, and checks every language code', async () => {
    const { status, error } = await service.call(oauthToken, {
      username: 'x'.repeat(255),
      password: '',
      grant_type: 'password',
    })
    expect([status, error.code]).toEqual([400, -400])
    expect(error.details?.fields).toMatchObject([{ field: 'username' }])
    const language = await service.app.inject('/crm/profile?languageId=xxx')
    expect(language.json()).toMatchObject({ error: { details: { fields: [{ field: 'languageId' }] } } })
  })

  it('A8.3-06 throttles repeated attempts with 429, per address and name', async () => {
    const guess = { ...grant, username: 'target@ondine.test', password: 'guess' }
    const codes: number[] = []
    for (let attempt = 0; attempt < 12; attempt++)
      codes.push((await service.call(oauthToken, guess)).error.code)
    expect(codes).toEqual([...Array(10).fill(-3000), -429, -429])
    expect((await service.call(oauthToken, { ...grant, username: 'other@ondine.test' })).status).toBe(200)
  })

  it.each(['eng', 'fra'])(
    'an account that an operator creates has the language of its storefront (%s)',
    async (language) => {
      const change = await changeConfigurationOf(service, { 'languages.default': language })
      const email = `by-hand-${language}@ondine.test`
      await runCommand(service, 'accounts create', [email], { password: PASSWORD })
      await change.undo()
      const { result } = await service.call(accountDetails, {}, await tokens(email))
      expect(result.language).toBe(language)
    },
  )

  it.each(['admin', 'admin@localhost', 'jean,dupont@orange.fr', `${'x'.repeat(250)}@a.fr`])(
    'A5-05 an operator cannot create an account that could not sign in: %s',
    async (email) => {
      const created = runCommand(service, 'accounts create', [email], { password: PASSWORD })
      await expect(created).rejects.toThrow('is not an e-mail address.')
    },
  )

  it('V7-03 identifies the storefront by its API key and refuses unknown keys', async () => {
    const { status, error } = await service.call(session, {}, { 'x-identity-key': 'elsewhere' })
    expect([status, error.code]).toEqual([401, -401])
  })

  it('A8.1-02 answers code 7 for an unknown operation', async () => {
    const answer = await service.app.inject({ method: 'POST', url: '/proxy/makeCoffee' })
    expect([answer.statusCode, answer.json().error.code]).toEqual([404, -7])
  })
})

import { askResetPassword, changeDetails, createAccount, resetPassword } from '@ondine/contract/account-calls'
import { accountDetails, oauthToken, TOKEN_EXCHANGE } from '@ondine/contract/accounts'
import { activateProfile, listProfiles } from '@ondine/contract/profiles'
import { beginSignOn, finishSignOn } from '@ondine/contract/sign-on'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf, PASSWORD } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { emailsTo, tokenOf } from '../../../../test/emails.ts'
import { PEOPLE, TestProvider } from '../../../../test/identity-provider.ts'
import { MAIN_DB, startTestService, type TestService } from '../../../../test/service.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { identities } from './identities.table.ts'

/** Origin of a native app. */
const APP = 'capacitor://localhost'

const NEWCOMER = {
  email: 'newcomer@sso.test',
  firstName: 'Camille',
  lastName: 'Vidal',
  title: '',
  phoneNumber: '',
  dateofbirth: '',
  language: '',
  allowNews: false,
  acceptTerms: true,
  addressStreet: '',
  addressSecondStreet: '',
  addressThirdStreet: '',
  addressNumber: '',
  addressCity: '',
  addressState: '',
  addressZip: '',
  addressCountry: '',
} as const

describe.each(MAIN_DB)('single sign-on, on a database of kind %s', (kind) => {
  let service: TestService
  const provider = new TestProvider()
  const callback = 'http://localhost/auth/callback'

  beforeAll(async () => {
    await provider.start(callback)
    service = await startTestService(kind, {
      SIGN_IN_ATTEMPTS: 1000,
      SSO_CLIENT_SECRET: 'between-us',
      OUTBOUND_ALLOW: ['127.0.0.1'],
      APP_ORIGINS: [APP],
    })
    await configure({ issuer: provider.issuer, clientId: 'ondine' })
    // Jobs send e-mails.
    service.start()
  })
  afterAll(async () => {
    await service.remove()
    await provider.stop()
  })

  async function configure(authentication: {
    issuer: string
    clientId: string
    scopes?: string
    ssoUrl?: string
    mode?: 'sso'
  }): Promise<void> {
    const { configurations, storefronts } = service.context
    const { id } = storefronts.first()
    const { revision } = configurations.stored(id)
    const document = { accounts: { authentication } }
    await configurations.document(id).replace(revision, document, { author: 'test', reason: 'test' })
  }

  /** Starts a sign-on. @returns the provider's URL, and the cookie that the browser stores */
  async function leave(back = '/epg') {
    const answer = await service.app.inject({
      method: 'POST',
      url: beginSignOn.path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ back }).toString(),
    })
    const cookie = answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    return { url: answer.json().result?.url as string, cookie, error: answer.json().error }
  }

  async function come(query: string, cookie: string) {
    return await service.call(finishSignOn, { query }, { cookie, 'x-identity-key': 'ondine' })
  }

  it('A4.3-01 A2.1-02 signs in with code and PKCE, creates the account once, and returns to the page', async () => {
    const { url, cookie } = await leave()
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256')
    const query = await provider.signIn(url, 'camille')
    const { result } = await come(query, cookie)
    expect(result.back).toBe('/epg')
    const tokens = { 'x-auth-token': result.access_token }
    const first = (await service.call(accountDetails, {}, tokens)).result
    expect(first).toMatchObject({
      email: 'camille@sso.test',
      firstName: 'Camille',
      lastName: 'Delmas',
      hasPassword: false,
    })

    const again = await leave('//evil.example')
    const second = await come(await provider.signIn(again.url, 'camille'), again.cookie)
    expect(second.result.back).toBe('/')
    const same = await service.call(accountDetails, {}, { 'x-auth-token': second.result.access_token })
    expect(same.result.id).toBe(first.id)
    // An authorisation code works only once.
    expect((await come(query, cookie)).error.code).toBe(-3001)
  })

  it('A4.3-01 signs in a native app, which keeps the state of the sign-on as a token instead of a cookie', async () => {
    const send = async ({ path }: { path: string }, fields: Record<string, string>, token = '') =>
      await service.app.inject({
        method: 'POST',
        url: path,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: APP,
          'x-sign-on-token': token,
        },
        payload: new URLSearchParams(fields).toString(),
      })
    const left = await send(beginSignOn, { back: '/live' })
    const state = String(left.headers['x-sign-on-token'])
    const query = await provider.signIn(left.json().result.url, 'camille')
    for (const wrong of ['', 'forged', `${state}x`]) {
      const refused = await send(finishSignOn, { query }, wrong)
      expect([refused.json().error.code, refused.headers['x-auth-token']], wrong).toEqual([-3001, undefined])
    }
    const back = await send(finishSignOn, { query }, state)
    const account = String(back.headers['x-auth-token'])
    expect([back.json().result.back, back.headers['x-sign-on-token']]).toEqual(['/live', ''])
    expect([left.cookies, back.cookies]).toEqual([[], []])
    const { result } = await service.call(accountDetails, {}, { 'x-auth-token': account })
    expect(result.email).toBe('camille@sso.test')
  })

  it('signs nobody in without a sign-on that was started here, or with another state', async () => {
    const mine = await leave()
    const query = await provider.signIn(mine.url, 'camille')
    expect((await come(query, '')).error.code).toBe(-3001)
    const other = await leave()
    expect((await come(query, other.cookie)).error.code).toBe(-3001)
    expect((await come('?error=access_denied&state=x', mine.cookie)).error.code).toBe(-3001)
    expect((await come('', mine.cookie)).error.code).toBe(-3001)
  })

  it('requests accounts.authentication.scopes from the provider', async () => {
    const asked = async () => new URL((await leave()).url).searchParams.get('scope')
    expect(await asked()).toBe('openid email profile')
    await configure({ issuer: provider.issuer, clientId: 'ondine', scopes: 'openid email' })
    expect(await asked()).toBe('openid email')
    await configure({ issuer: provider.issuer, clientId: 'ondine' })
  })

  it('opens no account by an address that the provider has not verified', async () => {
    const { url, cookie } = await leave()
    expect((await come(await provider.signIn(url, 'doubtful'), cookie)).error.code).toBe(-3001)
  })

  describe('an address that changes at the provider', () => {
    const arrive = async (person: string) => {
      const { url, cookie } = await leave()
      return await come(await provider.signIn(url, person), cookie)
    }
    const detailsOf = async (person: string) => {
      const tokens = { 'x-auth-token': (await arrive(person)).result.access_token }
      return (await service.call(accountDetails, {}, tokens)).result
    }
    const moving = { email: '', email_verified: true, given_name: '', family_name: '', ...PEOPLE['moving'] }
    // Each kind of database has these tests, with people of its own.
    beforeEach(() => {
      Object.assign(moving, { email: 'moving@sso.test', email_verified: true })
      PEOPLE['moving'] = moving
    })

    it('opens no account of another person to whom the provider gives the address', async () => {
      await detailsOf('moving')
      expect((await arrive('successor')).error.code).toBe(-3001)
      expect((await arrive('moving')).status).toBe(200)
    })

    it('becomes the address of the account, if it is verified and free', async () => {
      const { id } = await detailsOf('moving')
      Object.assign(moving, { email: 'Moved@sso.test', email_verified: false })
      expect(await detailsOf('moving')).toMatchObject({ id, email: 'moving@sso.test' })
      moving.email_verified = true
      expect(await detailsOf('moving')).toMatchObject({ id, email: 'moved@sso.test' })
      // Then the old address is free for another person.
      expect((await detailsOf('successor')).id).not.toBe(id)
      moving.email = 'moving@sso.test'
      expect(await detailsOf('moving')).toMatchObject({ id, email: 'moved@sso.test' })
      // It is followed later, once the other person has released it.
      const successor = PEOPLE['successor'] ?? moving
      successor.email = 'away@sso.test'
      await arrive('successor')
      expect(await detailsOf('moving')).toMatchObject({ id, email: 'moving@sso.test' })
      successor.email = 'moving@sso.test'
    })

    it('signs both people on whose address becomes the same at once', async () => {
      const names = ['twin', 'sister']
      for (const name of names)
        PEOPLE[name] = { ...moving, email: `${name}@sso.test`, given_name: name, family_name: '' }
      for (const name of names) await arrive(name)
      for (const name of names) Object.assign(PEOPLE[name] ?? {}, { email: 'twins@sso.test' })
      const addresses = (await Promise.all(names.map(detailsOf))).map(({ email }) => email)
      expect(addresses.filter((email) => email === 'twins@sso.test')).toHaveLength(1)
    })

    it('A7.1-09 voids the links to a new password that were sent to the old address', async () => {
      const { account } = await buildersOf(service.context).actor()
      const keyed = { ...moving, email: account.email }
      PEOPLE['keyed'] = keyed
      expect(await detailsOf('keyed')).toMatchObject({ id: account.id })
      await service.call(askResetPassword, { email: account.email })
      const [sent] = await emailsTo(service.context.settings.DATA_DIR, account.email, 1)
      keyed.email = 'keyed-anew@sso.test'
      expect(await detailsOf('keyed')).toMatchObject({ id: account.id, email: 'keyed-anew@sso.test' })
      const password = 'Ondine-2027!'
      const reset = { token: tokenOf(sent!), password, passwordConfirm: password }
      expect((await service.call(resetPassword, reset)).error.code).toBe(-410)
    })

    it('opens an account to the new id of its person after accounts unlink, which ends all earlier access', async () => {
      const { email } = (await buildersOf(service.context).actor()).account
      for (const name of ['before', 'after']) PEOPLE[name] = { ...moving, email }
      const earlier = { 'x-auth-token': (await arrive('before')).result.access_token }
      const { id } = (await service.call(accountDetails, {}, earlier)).result
      expect((await arrive('after')).error.code).toBe(-3001)
      await service.call(askResetPassword, { email })
      const [sent] = await emailsTo(service.context.settings.DATA_DIR, email, 1)
      await runCommand(service, 'accounts unlink', [email])
      expect((await service.call(accountDetails, {}, earlier)).status).toBe(401)
      const password = 'Ondine-2027!'
      const reset = { token: tokenOf(sent!), password, passwordConfirm: password }
      expect((await service.call(resetPassword, reset)).error.code).toBe(-410)
      expect(await detailsOf('after')).toMatchObject({ id })
      expect((await arrive('before')).error.code).toBe(-3001)
      const { account } = await buildersOf(service.context).actor()
      await expect(runCommand(service, 'accounts unlink', [account.email])).rejects.toThrow(/nobody/)
    })
  })

  describe('a name that changes at the provider', () => {
    const namesOf = async ({ access_token }: { access_token: string }) => {
      const { result } = await service.call(accountDetails, {}, { 'x-auth-token': access_token })
      return [result.firstName, result.lastName]
    }
    const arrive = async (person: string) => {
      const { url, cookie } = await leave()
      return (await come(await provider.signIn(url, person), cookie)).result
    }

    it('becomes the name of the account at the next sign-on, unless its holder has changed it here', async () => {
      const married = { email: 'names@sso.test', email_verified: true, given_name: 'Ana', family_name: 'Roy' }
      PEOPLE['married'] = married
      expect(await namesOf(await arrive('married'))).toEqual(['Ana', 'Roy'])
      married.family_name = 'Morel'
      const open = await arrive('married')
      expect(await namesOf(open)).toEqual(['Ana', 'Morel'])
      // A provider that leaves a name out erases none.
      Object.assign(married, { given_name: '', family_name: '' })
      expect(await namesOf(await arrive('married'))).toEqual(['Ana', 'Morel'])
      const tokens = { 'x-auth-token': open.access_token }
      const profiles = (await service.call(listProfiles, {}, tokens)).result
      const profileToken = (await service.call(activateProfile, { idProfile: profiles[0]?.id ?? 0 }, tokens))
        .result.profileToken
      const change = { firstName: 'Anouk' }
      expect(
        (await service.call(changeDetails, change, { ...tokens, 'x-profile-token': profileToken })).status,
      ).toBe(200)
      Object.assign(married, { given_name: 'Anaïs', family_name: 'Morel-Roy' })
      expect(await namesOf(await arrive('married'))).toEqual(['Anouk', 'Morel-Roy'])
    })

    it('is only filled in, not replaced, when an account is linked', async () => {
      const { account } = await buildersOf(service.context).actor()
      await service.context.db
        .update(accounts)
        .set({ firstName: 'Nour', lastName: '' })
        .where(eq(accounts.id, account.id))
      const linked = { email: account.email, email_verified: true, given_name: 'Zoé', family_name: 'Petit' }
      PEOPLE['linked'] = linked
      expect(await namesOf(await arrive('linked'))).toEqual(['Nour', 'Petit'])
      linked.given_name = 'Zora'
      expect(await namesOf(await arrive('linked'))).toEqual(['Nour', 'Petit'])
    })

    it('becomes the name of an account that an earlier version has linked only if the account has none', async () => {
      const early = { email: 'early@sso.test', email_verified: true, given_name: '', family_name: 'Blanc' }
      PEOPLE['early'] = early
      await arrive('early')
      await service.context.db
        .update(identities)
        .set({ firstName: '', lastName: '' })
        .where(eq(identities.subject, 'early'))
      Object.assign(early, { given_name: 'Théo', family_name: 'Noir' })
      expect(await namesOf(await arrive('early'))).toEqual(['Théo', 'Blanc'])
    })
  })

  it('stores only those claims of the provider that people could fill in themselves', async () => {
    const arrive = async (person: string) => {
      const { url, cookie } = await leave()
      return await come(await provider.signIn(url, person), cookie)
    }
    const strange = await arrive('strange')
    const tokens = { 'x-auth-token': strange.result.access_token }
    const details = (await service.call(accountDetails, {}, tokens)).result
    expect(details).toMatchObject({ email: 'strange@sso.test', firstName: '', lastName: '' })
    expect((await service.call(listProfiles, {}, tokens)).result).toMatchObject([{ name: 'strange' }])

    const long = { 'x-auth-token': (await arrive('longNamed')).result.access_token }
    const [profile] = (await service.call(listProfiles, {}, long)).result
    // The name is cut to the maximum length of a profile's name, but not inside a character.
    expect(profile?.name).toBe('Marie-Éléonore-Joséphine-Antoinette-Adé')
    expect((await arrive('nowhere')).error.code).toBe(-3001)
  })

  const CLAIMS: [string, (claims: Record<string, unknown>) => Record<string, unknown>][] = [
    ['another issuer', (claims) => ({ ...claims, iss: 'http://127.0.0.1:1' })],
    ['another nonce', (claims) => ({ ...claims, nonce: 'x' })],
    ['another audience', (claims) => ({ ...claims, aud: 'other' })],
    ['an end that has passed', (claims) => ({ ...claims, exp: 1_000_000_000 })],
  ]
  it.each(CLAIMS)('refuses an identity with %s', async (_what, forge) => {
    const { url, cookie } = await leave()
    const query = await provider.signIn(url, 'camille')
    provider.lie = (path, body) => {
      if (!path.startsWith('/token')) return body
      const tokens = JSON.parse(body) as { id_token: string }
      const [head = '', claims = '', signature = ''] = tokens.id_token.split('.')
      const forged = forge(JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>)
      const written = Buffer.from(JSON.stringify(forged)).toString('base64url')
      return JSON.stringify({ ...tokens, id_token: [head, written, signature].join('.') })
    }
    const { error } = await come(query, cookie)
    provider.lie = (_path, body) => body
    expect(error.code).toBe(-3001)
  })

  it.each([-600, 600])('signs in with a provider whose clock is %d s off', async (seconds) => {
    const { url, cookie } = await leave()
    const query = await provider.signIn(url, 'camille')
    provider.lie = (path, body) => {
      if (!path.startsWith('/token')) return body
      const tokens = JSON.parse(body) as { id_token: string }
      const [head = '', claims = '', signature = ''] = tokens.id_token.split('.')
      const told = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { iat: number; exp: number }
      const shifted = { ...told, iat: told.iat + seconds, exp: told.exp + seconds }
      const written = Buffer.from(JSON.stringify(shifted)).toString('base64url')
      return JSON.stringify({ ...tokens, id_token: [head, written, signature].join('.') })
    }
    const { status } = await come(query, cookie)
    provider.lie = (_path, body) => body
    expect(status).toBe(200)
  })

  /** Returns an access token of the provider for this service. */
  async function accessToken(person: string): Promise<string> {
    const { url, cookie } = await leave()
    const query = await provider.signIn(url, person)
    let given = ''
    provider.lie = (path, body) => {
      if (path.startsWith('/token') && body.startsWith('{"access_token"'))
        given = (JSON.parse(body) as { access_token: string }).access_token
      return body
    }
    await come(query, cookie)
    provider.lie = (_path, body) => body
    return given
  }

  it('A4.3-01 accepts a token from the operator’s sign-in page with the state that the page was given, and in no other way', async () => {
    const token = await accessToken('camille')
    const back = (state: string | null) =>
      `?${new URLSearchParams({ access_token: token, ...(state === null ? {} : { state }) })}`
    const stateOf = (url: string) => new URL(url).searchParams.get('state')

    // Without `ssoUrl`, only an authorisation code is accepted. An access token is refused, even with the right
    // state.
    const byCode = await leave()
    expect((await come(back(stateOf(byCode.url)), byCode.cookie)).error.code).toBe(-3001)

    const ssoUrl = 'https://id.test/in?shop=ondine'
    await configure({ issuer: provider.issuer, clientId: 'ondine', ssoUrl })
    try {
      const left = await leave()
      expect(left.url).toMatch(/^https:\/\/id\.test\/in\?shop=ondine&state=[\w-]{20,}$/)
      // A link with a token but without the right state is refused, even while the browser is at the sign-in page.
      for (const state of [null, '', 'guessed', stateOf((await leave()).url)])
        expect((await come(back(state), left.cookie)).error.code, String(state)).toBe(-3001)
      const { result } = await come(back(stateOf(left.url)), left.cookie)
      expect(result.back).toBe('/epg')
      const who = await service.call(accountDetails, {}, { 'x-auth-token': result.access_token })
      expect(who.result.email).toBe('camille@sso.test')
      // Without a complete provider, returned tokens could not be verified, so the sign-on does not begin.
      for (const issuer of ['', provider.issuer]) {
        await configure({ issuer, clientId: '', ssoUrl })
        expect((await leave()).error.code, issuer).toBe(-3002)
      }
    } finally {
      await configure({ issuer: provider.issuer, clientId: 'ondine' })
    }
  })

  it('A7.3-02 accepts an access token that was issued for this service, and no other', async () => {
    const exchange = async (subject_token: string) =>
      await service.call(oauthToken, { grant_type: TOKEN_EXCHANGE, subject_token })
    expect((await exchange('made-up')).error.code).toBe(-3001)
    const { result, status } = await exchange(await accessToken('camille'))
    expect(status).toBe(200)
    const who = await service.call(accountDetails, {}, { 'x-auth-token': result.access_token })
    expect(who.result.email).toBe('camille@sso.test')
  })

  it('A4.3 with the mode sso, refuses passwords, registrations and resets, but no sign-on', async () => {
    const { account } = await buildersOf(service.context).actor()
    const signIn = async () =>
      await service.call(oauthToken, { grant_type: 'password', username: account.email, password: PASSWORD })
    const twice = { password: PASSWORD, passwordConfirm: PASSWORD }
    expect((await signIn()).status).toBe(200)
    await configure({ issuer: provider.issuer, clientId: 'ondine', mode: 'sso' })
    try {
      const refused = [
        await signIn(),
        await service.call(createAccount, { ...NEWCOMER, ...twice }),
        await service.call(askResetPassword, { email: account.email }),
        await service.call(resetPassword, { token: 'any', ...twice }),
      ]
      for (const { status, error } of refused) expect([status, error.code]).toEqual([403, -403])
      const { url, cookie } = await leave()
      expect((await come(await provider.signIn(url, 'camille'), cookie)).status).toBe(200)
      const exchange = { grant_type: TOKEN_EXCHANGE, subject_token: await accessToken('camille') } as const
      expect((await service.call(oauthToken, exchange)).status).toBe(200)
    } finally {
      await configure({ issuer: provider.issuer, clientId: 'ondine' })
    }
    expect((await signIn()).status).toBe(200)
  })

  it('A7.1-08 A7.1-09 opens the account of a sign-on by a new password after the operator has given up the provider', async () => {
    const email = `left-behind-${kind}@sso.test`
    PEOPLE['leftBehind'] = { email, email_verified: true, given_name: 'Ines', family_name: 'Le Goff' }
    const { url, cookie } = await leave()
    const signedOn = await come(await provider.signIn(url, 'leftBehind'), cookie)
    const details = await service.call(accountDetails, {}, { 'x-auth-token': signedOn.result.access_token })
    const letters = async (count: number) => await emailsTo(service.context.settings.DATA_DIR, email, count)
    const password = 'Ondine-2027!'
    const twice = { password, passwordConfirm: password }
    await configure({ issuer: '', clientId: '' })
    try {
      await service.call(createAccount, { ...NEWCOMER, email, ...twice })
      expect((await letters(1)).at(-1)?.subject).toBe('Vous avez déjà un compte Ondine')
      await service.call(askResetPassword, { email })
      const token = tokenOf((await letters(2)).at(-1)!)
      expect((await service.call(resetPassword, { token, ...twice })).status).toBe(200)
      const signedIn = await service.call(oauthToken, { grant_type: 'password', username: email, password })
      const same = await service.call(accountDetails, {}, { 'x-auth-token': signedIn.result.access_token })
      expect(same.result.id).toBe(details.result.id)
    } finally {
      await configure({ issuer: provider.issuer, clientId: 'ondine' })
    }
  })

  it('tells if the provider does not answer, and if there is none', async () => {
    await configure({ issuer: 'http://127.0.0.1:9', clientId: 'ondine' })
    expect((await leave()).error.code).toBe(-502)
    await configure({ issuer: '', clientId: '' })
    expect((await leave()).error.code).toBe(-3002)
    await configure({ issuer: provider.issuer, clientId: 'ondine' })
  })
})

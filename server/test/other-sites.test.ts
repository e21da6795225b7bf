import { getPasswordPolicy, loginDevice } from '@ondine/contract/account-calls'
import { logout, oauthToken, session } from '@ondine/contract/accounts'
import { hierarchy } from '@ondine/contract/catalogue'
import { casAddDevice } from '@ondine/contract/devices'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf } from './builders.ts'
import { startTestService, type TestService } from './service.ts'

const HERE = 'www.ondine.test'
const PUBLIC = 'https://tv.ondine.test'
const APP = 'capacitor://localhost'

/** Headers that browsers send with a request from a page of another site. */
const FOREIGN: Record<string, Record<string, string>> = {
  'another site': { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' },
  'another site, which hides its origin': { origin: 'null', 'sec-fetch-site': 'cross-site' },
  'another name of the same domain': { origin: 'https://evil.ondine.test', 'sec-fetch-site': 'same-site' },
  'another site, in a browser without Sec-Fetch-Site': { origin: 'https://evil.test' },
  'a hidden origin, in a browser without Sec-Fetch-Site': { origin: 'null' },
  'another port': { origin: `https://${HERE}:8443` },
}

/** Headers that the service's own pages, apps and programs send. */
const OWN: Record<string, Record<string, string>> = {
  'a program': {},
  'its own page': { origin: `https://${HERE}`, 'sec-fetch-site': 'same-origin' },
  'its own page, in a browser without Sec-Fetch-Site': { origin: `http://${HERE}` },
  'its own page, by the public address': { origin: PUBLIC },
  'a form that is sent again': { 'sec-fetch-site': 'none' },
}

/**
 * Routes that accept requests from pages of any site. Players request licences there, with the token in the
 * address and without cookies.
 */
const OPEN = ['POST /play/:token/licence', 'POST /play/:token/widevine', 'POST /play/:token/fairplay']

/** Routes of forms, which answer a refusal with a page instead of JSON. */
const FORMS = ['POST /sandbox-payments/:token']

/** Returns whether a route answers with a page, so that links on any site may lead to it. */
const isPage = (route: string) => ['GET /*', 'GET /oauth/generic/callback'].includes(route)

describe('requests from pages of other sites', () => {
  let service: TestService
  let actor: Actor

  beforeAll(async () => {
    service = await startTestService(
      'embedded',
      {
        SIGN_IN_ATTEMPTS: 1000,
        // The list also contains the service's own addresses, which must make no difference.
        APP_ORIGINS: [APP, PUBLIC, `https://${HERE}`],
        PUBLIC_URL: PUBLIC,
        DEMO: true,
      },
      { hasPages: true },
    )
    await service.app.ready()
    actor = await buildersOf(service.context).actor()
  })
  afterAll(async () => await service.remove())

  const cookie = () =>
    `ondine_account=${actor.tokens['x-auth-token']}; ondine_profile=${actor.tokens['x-profile-token']}`

  async function send(route: string, headers: Record<string, string>, payload = '') {
    const [method = '', path = ''] = route.split(' ')
    return await service.app.inject({
      method: method as 'POST',
      url: path.replaceAll(/:\w+|\*/g, '1'),
      headers: {
        host: HERE,
        'x-identity-key': service.context.storefronts.first().apiKey,
        ...(method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(method === 'GET' ? {} : { payload }),
    })
  }

  it('are refused by every route that changes something, present or future, before it does anything', async () => {
    const routes = service.app.routeList.filter((route) => !/^(?:GET|HEAD|OPTIONS) /.test(route))
    expect(routes).toEqual(expect.arrayContaining(OPEN))
    for (const route of routes.filter((each) => !OPEN.includes(each))) {
      for (const [whose, headers] of Object.entries(FOREIGN)) {
        const answer = await send(route, { ...headers, cookie: cookie() })
        const code = FORMS.includes(route) ? -403 : answer.json().error?.code
        expect([answer.statusCode, code, answer.cookies], `${route} ${whose}`).toEqual([403, -403, []])
      }
    }
  })

  it('set no cookie if they are accepted', async () => {
    const reads = service.app.routeList.filter((route) => /^GET \/(?!docs)/.test(route) && !isPage(route))
    for (const route of [...OPEN, ...reads]) {
      const answer = await send(route, { ...FOREIGN['another site'], cookie: cookie() })
      expect([route, answer.cookies]).toEqual([route, []])
    }
  })

  it('open pages from a link with the same person and storefront as without it', async () => {
    const other = 'nocturne'
    await service.context.storefronts.create({ apiKey: other, name: 'Nocturne', demonstration: true })
    const pages = service.app.routeList.filter(isPage)
    expect(pages).toEqual(expect.arrayContaining(['GET /*', 'GET /oauth/generic/callback']))
    const device = await registered()
    const mine = service.context.storefronts.first().apiKey
    const open = async (route: string, headers: Record<string, string>) => {
      const answer = await send(`${route}?who&storefront=${other}`, {
        ...headers,
        accept: 'text/html',
        cookie: `${cookie()}; ondine_device=${device}`,
      })
      const { identityKey, account } = answer.json()
      return { identityKey, account, set: answer.cookies.map(({ name }) => name) }
    }
    for (const route of pages) {
      const asBefore = { identityKey: mine, account: actor.account.id, set: [] }
      for (const site of ['cross-site', 'same-site'])
        expect(await open(route, { 'sec-fetch-site': site }), `${route} ${site}`).toEqual(asBefore)
    }
    // A viewer who chooses another storefront is not signed in there, and stays signed in to the first storefront.
    const chosen = { identityKey: other, account: null, set: ['storefront'] }
    expect(await open('GET /*', { 'sec-fetch-site': 'none' })).toEqual(chosen)
    expect(await open('GET /*', { 'sec-fetch-site': 'same-origin' })).toEqual(chosen)
  })

  const registered = async () =>
    (await service.call(casAddDevice, { deviceUniqueId: 'browser-of-a-viewer' }, actor.tokens)).result
      .deviceAuthToken

  const form = () =>
    new URLSearchParams({
      username: actor.account.email,
      password: 'Ondine-2026!',
      grant_type: 'password',
    }).toString()

  it.each(Object.entries(FOREIGN))('%s signs nobody in or out', async (_whose, headers) => {
    const signedIn = await send(`${oauthToken.method} ${oauthToken.path}`, headers, form())
    expect([signedIn.statusCode, signedIn.cookies]).toEqual([403, []])
    const left = await send(`${logout.method} ${logout.path}`, { ...headers, cookie: cookie() })
    expect([left.statusCode, left.cookies]).toEqual([403, []])
    const asked = await send(`${session.method} ${session.path}`, { cookie: cookie() })
    expect(asked.json().result.account?.id).toBe(actor.account.id)
  })

  it.each(Object.entries(OWN))('%s signs in and out', async (_whose, headers) => {
    const signedIn = await send(`${oauthToken.method} ${oauthToken.path}`, headers, form())
    expect(signedIn.statusCode).toBe(200)
    const token = signedIn.cookies.find(({ name }) => name === 'ondine_account')?.value ?? ''
    const left = await send(`${logout.method} ${logout.path}`, {
      ...headers,
      cookie: `ondine_account=${token}`,
    })
    expect([left.statusCode, left.cookies.map(({ value }) => value)]).toEqual([200, ['', '', '']])
  })

  describe('a page of a native app', () => {
    const app = { origin: APP, 'sec-fetch-site': 'cross-site' }
    const address = ({ method, path }: { method: string; path: string }) => `${method} ${path}`
    const kept = (answer: { headers: Record<string, unknown> }) =>
      ['x-auth-token', 'x-profile-token', 'x-device-token', 'x-device-id'].map((name) => answer.headers[name])

    it('signs in, registers its device, renews and signs out by tokens in headers, without cookies', async () => {
      const signedIn = await send(address(oauthToken), app, form())
      const [account, profile] = kept(signedIn).map(String)
      expect([signedIn.statusCode, signedIn.cookies]).toEqual([200, []])
      const tokens = { ...app, 'x-auth-token': account ?? '', 'x-profile-token': profile ?? '' }
      expect((await send(address(session), tokens)).json().result.account.id).toBe(actor.account.id)

      const added = await send(address(casAddDevice), tokens, 'deviceUniqueId=telephone-of-a-viewer')
      const [, , device = '', id] = kept(added).map(String)
      expect([added.cookies, id]).toEqual([[], 'telephone-of-a-viewer'])

      const renewed = await send(address(loginDevice), { ...app, 'x-device-token': device })
      expect([renewed.statusCode, renewed.cookies]).toEqual([200, []])
      const fresh = { ...app, 'x-auth-token': String(kept(renewed)[0]), 'x-device-token': device }
      expect((await send(address(session), fresh)).json().result.account.id).toBe(actor.account.id)

      const left = await send(address(logout), fresh)
      expect([kept(left).slice(0, 3), left.cookies]).toEqual([['', '', ''], []])
      // The app still sends the account token of the ended sign-in.
      expect((await send(address(session), fresh)).json().error.code).toBe(-1)
      const refused = await send(address(loginDevice), fresh)
      expect([refused.json().error.code, kept(refused)[0], refused.cookies]).toEqual([-1, '', []])
    })

    it('A4.4-03 renews although it sends an account token that is not valid any more, and can sign out with one', async () => {
      const signedIn = await send(address(oauthToken), app, form())
      const tokens = { ...app, 'x-auth-token': String(kept(signedIn)[0]) }
      const added = await send(address(casAddDevice), tokens, 'deviceUniqueId=another-telephone')
      const ended = { ...app, 'x-auth-token': 'not.a.token', 'x-device-token': String(kept(added)[2]) }
      expect((await send(address(session), ended)).json().error.code).toBe(-1)
      expect((await send(address(loginDevice), ended)).statusCode).toBe(200)
      const left = await send(address(logout), ended)
      expect([left.statusCode, kept(left).slice(0, 3)]).toEqual([200, ['', '', '']])
      expect((await send(address(loginDevice), ended)).json().error.code).toBe(-1)
    })

    it('is nobody by the cookies of a browser, and cannot end the sign-in that they hold', async () => {
      const signedIn = await send(address(oauthToken), OWN['its own page'] ?? {}, form())
      const token = signedIn.cookies.find(({ name }) => name === 'ondine_account')?.value ?? ''
      const browser = { cookie: `ondine_account=${token}` }
      const asked = await send(address(session), { ...app, ...browser })
      expect(asked.json().result.account).toBeNull()
      await send(address(logout), { ...app, ...browser })
      const after = await send(address(session), browser)
      expect(after.json().result.account.id).toBe(actor.account.id)
    })

    it.each([
      ['of an app', app],
      ['of a program', {}],
      ['of the own page', OWN['its own page'] ?? {}],
    ])('gets no answer from a cache that was made for another origin: a call %s', async (_, headers) => {
      for (const { route, varies } of [
        { route: address(hierarchy), varies: 'accept-encoding, origin' },
        { route: address(getPasswordPolicy), varies: 'origin' },
        { route: 'POST /proxy/unknown', varies: 'origin' },
      ]) {
        expect((await send(route, headers)).headers.vary, route).toBe(varies)
      }
    })

    it('may read answers and errors, and is told so before it calls', async () => {
      const asked = await service.app.inject({
        method: 'OPTIONS',
        url: session.path,
        headers: {
          host: HERE,
          ...app,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'x-auth-token,x-identity-key,traceparent',
        },
      })
      expect(asked.statusCode).toBe(204)
      expect(asked.headers).toMatchObject({ 'access-control-allow-origin': APP, vary: 'origin' })
      const listed = String(asked.headers['access-control-allow-headers']).split(', ')
      expect(listed).toEqual(
        expect.arrayContaining([
          'x-auth-token',
          'x-profile-token',
          'x-device-token',
          'authorization',
          'x-identity-key',
          'traceparent',
        ]),
      )
      for (const answer of [
        await send(address(session), app),
        await send(address(session), { ...app, 'x-auth-token': 'forged' }),
        await send('POST /proxy/unknown', app),
      ]) {
        expect(answer.headers['access-control-allow-origin'], answer.body).toBe(APP)
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
        expect(String(answer.headers['access-control-expose-headers'])).toContain('x-auth-token')
      }
    })

    it.each(Object.entries(FOREIGN))(
      '%s gets no leave to read, and no token in a header',
      async (_, headers) => {
        const answers = [
          await send(address(oauthToken), headers, form()),
          await send(address(getPasswordPolicy), headers),
          await service.app.inject({
            method: 'OPTIONS',
            url: session.path,
            headers: { host: HERE, ...headers, 'access-control-request-method': 'POST' },
          }),
        ]
        for (const answer of answers) {
          expect(answer.headers['access-control-allow-origin']).toBeUndefined()
          expect(kept(answer)).toEqual([undefined, undefined, undefined, undefined])
        }
      },
    )
  })
})

import { OPERATIONS } from '@ondine/contract/all'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTrackSetStore } from '../src/features/inventory/track-sets/track-sets.service.ts'
import { accounts } from '../src/features/people/accounts/accounts.table.ts'
import { registerDevice } from '../src/features/people/devices/devices.service.ts'
import { setParentalCode, validateParentalCode } from '../src/features/people/parental/parental.service.ts'
import { ensurePackage } from '../src/features/rights/entitlements/packages.service.ts'
import { revokeOperator } from '../src/features/settings/operators/operators.service.ts'
import { programmes } from '../src/features/television/guide-import/guide.table.ts'
import { extendSchedules } from '../src/features/television/schedule/extend-schedules.ts'
import { TABLE, TEST_CALLERS, type TestCaller } from './access-table.ts'
import { type Actor, buildersOf, buildTrackSet } from './builders.ts'
import { startTestService, type TestService, type Tokens } from './service.ts'

/** Calls that require a signed-in account. */
const OF_ACCOUNTS = OPERATIONS.filter(({ as }) => as === 'account' || as === 'profile')

/** Calls that a child may make. Before you add a call, check that it does not change the account. */
const FOR_CHILDREN = [
  'activeAssets',
  'removeActiveAsset',
  'restoreActiveAsset',
  'liveEvents',
  'testAsset',
  'readAsset',
  'getVodLicense',
  'downloadAsset',
  'downloadLicence',
  'releaseDownload',
  'exchangePositions',
  // The tokens that this call lends give access to the download calls only.
  'downloadHelperTokens',
  // A child may see whether notifications are on and switch them off, but may not switch them on.
  'pushState',
  'renewPush',
  'unsubscribePush',
  'channelStream',
  'askLicenseWV',
  'askLicenseFP',
  'changeScoreAsset',
  'changeProfileSettings',
  'favoriteAssets',
  'addFavoriteAsset',
  'removeFavoriteAsset',
  'favoriteChannels',
  'addFavoriteChannel',
  'removeFavoriteChannel',
  'createRecording',
  'listRecordings',
  'readRecording',
  'changeRecording',
  'removeRecording',
  'restoreRecording',
  'playRecording',
  'createSeriesRecording',
  'changeSeriesRecording',
  'listSeriesRecordings',
  'removeSeriesRecording',
  'restoreSeriesRecording',
  'readQuota',
  // Calls for playback on another screen of the account. A child controls only its own casts.
  'connectScreens',
  'listScreens',
  'castTo',
  'controlScreen',
  'reportScreen',
  // Calls that show the profiles, and that leave a child's profile.
  'listProfiles',
  'listAvatars',
  'aboveLevel',
  'activateProfile',
  'adultCode',
  'validateAdultCode',
  // Identifies the calling device. `devices.test.ts` tests that a child cannot register a device.
  'casAddDevice',
]

/** Routes outside the table: documentation pages and catch-all routes, which serve no viewer's data. */
const ASIDE =
  /^(?:HEAD |GET \/docs|[A-Z]+ \/(?:proxy|cms|crm|inapp|npvr|identity|oauth|play|media|images|configuration|operator)\/\*$)/

describe('every route of the running server', () => {
  let service: TestService
  let actors: Record<TestCaller, Tokens>
  let values: Record<string, string>
  let revoked: string
  /** Proofs of the parental code: of the child's account, and of another account. */
  let parentalProof: string
  let foreignProof: string
  /** Personal data of the child's account holder. No other account contains it. */
  let holder: string[]

  /** Sets the parental code of an account, and returns a proof of it. */
  async function proofOf({ account }: Actor): Promise<string> {
    const { db, keys } = service.context
    const now = service.clock.now()
    await setParentalCode(db, account.id, { code: '2580', current: undefined }, now)
    return await validateParentalCode({ db, keys }, account.id, '2580', now)
  }

  beforeAll(async () => {
    service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0, SANDBOX_PAYMENTS: true })
    await service.app.ready()
    const { context } = service
    const build = buildersOf(context)
    const held = { cinema: {} }
    const account: Actor = await build.actor({ packages: held })
    const child = await build.actor({ packages: held, profile: { kid: true, maximumMoralityLevel: 2 } })
    parentalProof = await proofOf(child)
    await context.db.update(accounts).set({ lastName: 'Kerguelen' }).where(eq(accounts.id, child.account.id))
    holder = ['Kerguelen', child.account.email]
    const other = await build.actor()
    foreignProof = await proofOf(other)
    actors = {
      visitor: {},
      account: account.tokens,
      other: other.tokens,
      child: child.tokens,
      proven: child.tokens,
      suspended: (await build.actor({ packages: held, status: 'SUSPENDED' })).tokens,
      operator: (await build.operator()).tokens,
    }
    const gone = await build.operator()
    await revokeOperator(context.db, gone.name, service.clock.now())
    revoked = gone.tokens['x-operator-token'] ?? ''
    const film = await build.asset('La Houle', { inPackages: ['cinema'] })
    const strong = await build.asset('Front froid', {
      moralityLevel: 4,
      inPackages: ['cinema'],
      trailer: buildTrackSet({ encrypted: false, seconds: 12 }),
    })
    const channel = await build.channel(
      'Rive',
      { kind: 'sequence', titles: ['La Houle'] },
      { inPackages: ['cinema'] },
    )
    await extendSchedules(
      context.db,
      createTrackSetStore(context.db),
      service.clock.now(),
      new AbortController().signal,
    )
    await ensurePackage(context.db, 'cinema', { fra: 'cinema' }, 50)
    const [event] = await context.db
      .select({ id: programmes.id })
      .from(programmes)
      .where(eq(programmes.channelId, channel.id))
      .limit(1)
    const screen = {
      uniqueId: 'television',
      userAgent: '',
      signIn: 'in the living room',
      childProfileId: null,
    }
    const device = await registerDevice(
      context.db,
      { id: account.account.id, since: service.clock.now() / 1000 },
      screen,
      0,
      service.clock.now(),
    )
    values = {
      $film: String(film.id),
      $strong: String(strong.id),
      $trailer: String(strong.trailerMediaId),
      $channel: String(channel.id),
      $event: String(event?.id),
      $profile: String(account.profileId),
      $device: String(device.id),
    }
  })
  afterAll(async () => await service.remove())

  it('has a row in this table', () => {
    const open = service.app.routeList.filter((route) => !ASIDE.test(route) && !(route in TABLE))
    expect(open).toEqual([])
    const gone = Object.keys(TABLE).filter((route) => !service.app.routeList.includes(route))
    expect(gone).toEqual([])
  })

  it('exists if the contract has it', () => {
    for (const { method, path } of OPERATIONS) expect(service.app.routeList).toContain(`${method} ${path}`)
  })

  it.each(Object.entries(TABLE))(
    '%s answers each caller as the table says',
    async (route, { fields = {}, expect: statuses }) => {
      const [method = '', path = ''] = route.split(' ')
      const filled = Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, values[value] ?? value]),
      )
      const url = path.replaceAll(/:(\w+)|\*/g, (match, name?: string) =>
        encodeURIComponent(filled[name ?? match] ?? ''),
      )
      const answers = await Promise.all(
        TEST_CALLERS.map(async (caller) => {
          const sent = new URLSearchParams({ ...filled, ...(caller === 'proven' && { parentalProof }) })
          const answer = await service.app.inject({
            method: method as 'GET',
            url: method === 'GET' ? `${url}?${sent}` : url,
            headers: {
              ...actors[caller],
              ...(method === 'GET' || method === 'OPTIONS'
                ? {}
                : { 'content-type': 'application/x-www-form-urlencoded' }),
            },
            ...(method === 'GET' || method === 'OPTIONS' ? {} : { payload: sent.toString() }),
          })
          // No answer may reveal the account holder's data to a child (spec 46).
          if (caller === 'child')
            for (const known of holder) expect(answer.body.includes(known), known).toBe(false)
          return [caller, answer.statusCode]
        }),
      )
      const wanted = TEST_CALLERS.map((caller) => {
        const proven = caller === 'proven' ? statuses.child : undefined
        return [caller, statuses[caller] ?? proven ?? statuses.everyone]
      })
      expect(answers).toEqual(wanted)
    },
  )

  it('has a status for a child if it needs an account or a profile', () => {
    const silent = OF_ACCOUNTS.filter(
      ({ method, path }) => TABLE[`${method} ${path}`]?.expect.child === undefined,
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  it('A6-05 lets a child watch and store what it likes, by these calls and no others', () => {
    const allowed = OF_ACCOUNTS.filter(({ child }) => child === 'allowed').map(({ name }) => name)
    expect(allowed.toSorted()).toEqual([...FOR_CHILDREN].toSorted())
  })

  it.each(OF_ACCOUNTS.filter(({ child }) => child === 'with-code').map((each) => [each.name, each] as const))(
    'A6-05 %s refuses a child without the proof of its account’s code, whatever it sends',
    async (_name, { method, path }) => {
      const ended = service.context.keys.sign('parental', { sub: '1', set: 0 }, -1)
      for (const proof of [undefined, '', 'forged', foreignProof, ended]) {
        const sent = new URLSearchParams(proof === undefined ? {} : { parentalProof: proof }).toString()
        const url = path.replaceAll(/:\w+/g, '1')
        const answer = await service.app.inject({
          method,
          url: method === 'GET' || method === 'DELETE' ? `${url}?${sent}` : url,
          headers: {
            ...actors.child,
            ...(method !== 'GET' && { 'content-type': 'application/x-www-form-urlencoded' }),
          },
          ...(method !== 'GET' && { payload: sent }),
        })
        expect([answer.statusCode, answer.json().error?.code], String(proof)).toEqual([403, -1612])
      }
    },
  )

  /** Returns invalid tokens of a caller, one for each fault. */
  function badTokens(): Record<string, { account: string; profile: string }> {
    const { keys, clock } = { keys: service.context.keys, clock: service.clock }
    const good = {
      account: actors.account['x-auth-token'] ?? '',
      profile: actors.account['x-profile-token'] ?? '',
    }
    const signed = (token: string) =>
      JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    const ended = (audience: 'account' | 'profile') => keys.sign(audience, signed(good[audience]), -1)
    const forged = (token: string) => {
      const [head, claims = '', signature] = token.split('.')
      const written = {
        ...JSON.parse(Buffer.from(claims, 'base64url').toString()),
        sub: '1',
        exp: clock.now(),
      }
      return [head, Buffer.from(JSON.stringify(written)).toString('base64url'), signature].join('.')
    }
    return {
      ended: { account: ended('account'), profile: ended('profile') },
      forged: { account: forged(good.account), profile: forged(good.profile) },
      'of another kind': { account: good.profile, profile: good.account },
      broken: { account: 'x.y.z', profile: '\u0001' },
    }
  }

  it.each(OF_ACCOUNTS.map((each) => [each.name, each] as const))(
    'A4.4-03 %s refuses a token that is expired, forged or of another kind, and another account’s profile',
    async (_name, { method, path, as }) => {
      const ask = async (headers: Record<string, string>) => {
        const url = path.replaceAll(/:\w+/g, '1')
        const answer = await service.app.inject({ method, url, headers })
        return [answer.statusCode, answer.json().error?.code]
      }
      const profile = actors.account['x-profile-token'] ?? ''
      const account = actors.account['x-auth-token'] ?? ''
      for (const [how, bad] of Object.entries(badTokens())) {
        const ways: Record<string, Record<string, string>> = {
          header: { 'x-auth-token': bad.account, 'x-profile-token': profile },
          bearer: { authorization: `Bearer ${bad.account}` },
          'cookie of it': { cookie: `ondine_account=${bad.account}; ondine_profile=${profile}` },
          ...(as === 'profile' && {
            'header of the profile': { 'x-auth-token': account, 'x-profile-token': bad.profile },
          }),
        }
        for (const [way, headers] of Object.entries(ways))
          expect(await ask(headers), `${how}, ${way}`).toEqual([401, -1])
      }
      if (as === 'profile') {
        // The caller counts as not signed in, because an invalid cookie is ignored.
        const cookie = `ondine_account=${account}; ondine_profile=${badTokens().forged?.profile}`
        expect(await ask({ cookie })).toEqual(method === 'GET' ? [401, -1] : [403, -403])
      }
      const foreign = { 'x-auth-token': account, 'x-profile-token': actors.other['x-profile-token'] ?? '' }
      expect(await ask(foreign)).toEqual([401, -1])
    },
  )

  it.each(OPERATIONS.filter(({ as }) => as === 'operator').map((each) => [each.name, each] as const))(
    '%s refuses every token except an operator’s',
    async (_name, { method, path }) => {
      const url = path.replaceAll(/:\w+/g, '1')
      for (const token of ['forged', revoked, actors.account['x-auth-token'] ?? '', '']) {
        const answer = await service.app.inject({ method, url, headers: { 'x-operator-token': token } })
        expect(answer.statusCode, token).toBe(403)
      }
    },
  )

  it('A6-01 lets a visitor browse and sign in, and gives access to nothing of an account', async () => {
    const statusOf = async ({ method, path }: (typeof OPERATIONS)[number]) =>
      (await service.app.inject({ method, url: path.replaceAll(/:\w+/g, '1') })).statusCode
    const open = [
      'hierarchy',
      'homeContent',
      'listChannels',
      'epg',
      'faqData',
      'search',
      'createAccount',
      'oauthToken',
    ]
    for (const each of OPERATIONS.filter(({ name }) => open.includes(name)))
      expect([200, 400], each.name).toContain(await statusOf(each))
    const own = OF_ACCOUNTS
    const names = [
      'readAsset',
      'channelStream',
      'getVodLicense',
      'favoriteAssets',
      'addFavoriteChannel',
      'createProfile',
    ]
    expect(own.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
    for (const each of own) expect(await statusOf(each), each.name).toBe(401)
  })

  it('A4.4-03 checks tokens without the database', async () => {
    const ask = async (headers: Record<string, string>) => {
      const answer = await service.app.inject({ method: 'POST', url: '/proxy/casAddDevice', headers })
      return [answer.statusCode, answer.json().error?.code]
    }
    // Proves that the answers need no query: the embedded database has only one connection, and this transaction
    // holds it.
    const answers = await service.context.db.transaction(async () => [
      await ask(actors.account),
      await ask({ 'x-auth-token': badTokens().forged?.account ?? '' }),
      await ask({ 'x-auth-token': badTokens().ended?.account ?? '' }),
      await ask({ cookie: 'ondine_account=forged' }),
    ])
    expect(answers).toEqual([
      [400, -167],
      [401, -1],
      [401, -1],
      [401, -1],
    ])
  })

  it('of playback refuses a token that was made for another purpose', async () => {
    const { keys } = service.context
    for (const audience of ['account', 'profile'] as const) {
      const token = keys.sign(audience, { sub: '1' }, 3600)
      expect((await service.app.inject(`/play/${token}/manifest.mpd`)).statusCode).toBe(401)
    }
  })
})

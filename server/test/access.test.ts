import { OPERATIONS } from '@ondine/contract/all'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extendSchedules } from '../src/features/channels/extend-schedules.ts'
import { registerDevice } from '../src/features/devices/devices.service.ts'
import { revokeOperator } from '../src/features/operators/operators.service.ts'
import { setParentalCode, validateParentalCode } from '../src/features/parental/parental.service.ts'
import { createTrackSetStore } from '../src/features/playback/track-sets.service.ts'
import { type Actor, buildersOf, buildTrackSet } from './builders.ts'
import { startTestService, type TestService, type Tokens } from './service.ts'

/**
 * Who asks. `child` may see up to level 2; `proven` is the same child with the proof of the parental code. `other` holds no
 * package, `suspended` holds all of them.
 */
const CALLERS = ['visitor', 'account', 'other', 'child', 'proven', 'suspended', 'operator'] as const
type Caller = (typeof CALLERS)[number]

interface Row {
  /** The request; `$film`, `$strong`, `$trailer`, `$channel`, `$profile`, `$session` and their like are filled in. */
  fields?: Record<string, string>
  /** HTTP status of each caller; one that is not named gets that of `everyone`, and `proven` that of `child`. */
  expect: Partial<Record<Caller | 'everyone', number>>
}

const SIGNED_IN: Row['expect'] = { everyone: 200, child: 200, visitor: 401, operator: 401 }
/** A film of level 4 in a package. */
const STRONG: Row['expect'] = {
  visitor: 401,
  operator: 401,
  account: 200,
  other: 403,
  child: 404,
  suspended: 403,
}
const CHANNEL: Row['expect'] = {
  visitor: 401,
  operator: 401,
  account: 200,
  other: 403,
  child: 200,
  suspended: 403,
}
const OPEN: Row['expect'] = { everyone: 200 }
/** A child makes these calls with the parental code only (decision 46). */
const OF_GROWN_UPS: Row['expect'] = { ...SIGNED_IN, child: 403, proven: 200 }
/** As they are asked for here, they are refused for their fields, or because there is no such thing. */
const REFUSED = (status: number): Row['expect'] => ({
  everyone: status,
  visitor: 401,
  operator: 401,
  child: 403,
  proven: status,
})
const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }

const OPERATOR: Row['expect'] = { everyone: 403, operator: 200 }
const CONFIGURATION = '/operator/configuration'
const WORDS = '/operator/words/:language'
const FRENCH = { language: 'fra' }
const TEXTS = '/operator/editorial/:language/:type/:slug'
const TEXT = { ...FRENCH, type: 'articles', slug: 'nothing' }

/** A call of operators about something that does not exist. */
const NOTHING: Row = {
  fields: { id: '999999', changes: '{}' },
  expect: { everyone: 403, operator: 404 },
}
const onNothing = (path: string): Record<string, Row> => ({
  [`POST ${path}/change`]: NOTHING,
  [`POST ${path}/remove`]: NOTHING,
  [`POST ${path}/run`]: NOTHING,
  [`GET ${path}/runs`]: NOTHING,
})

/** What each route answers to whom. To what viewers call, an operator is a visitor. */
const TABLE: Record<string, Row> = {
  'GET /healthz': { expect: OPEN },
  'GET /readyz': { expect: OPEN },
  'GET /metrics': { expect: OPEN },
  'GET /openapi.json': { expect: OPEN },
  'GET /time': { expect: OPEN },
  'POST /oauth/token': {
    fields: { username: 'x', password: 'y', grant_type: 'password' },
    expect: { everyone: 401 },
  },
  // Nobody is signed out here: that is proven by `sign-out.test.ts`.
  'POST /proxy/logout': { fields: { languageId: 'xxx' }, expect: { everyone: 400 } },
  'POST /proxy/createAccount': { expect: { everyone: 400 } },
  'POST /proxy/validateAccount': { fields: { token: 'forged' }, expect: { everyone: 410 } },
  'POST /proxy/resendAccountActivationEmail': { fields: { email: 'a@ondine.test' }, expect: OPEN },
  'POST /proxy/askResetPassword': { fields: { email: 'b@ondine.test' }, expect: OPEN },
  'POST /proxy/resetPassword': {
    fields: { token: 'forged', password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' },
    expect: { everyone: 410 },
  },
  'POST /proxy/updatePassword': {
    fields: { currentPassword: 'guess', password: 'Ondine-2027!', passwordConfirm: 'Ondine-2027!' },
    expect: REFUSED(401),
  },
  'POST /proxy/changeDetails': { fields: { firstName: 'Zoé' }, expect: OF_GROWN_UPS },
  'POST /proxy/changeAddress': { expect: OF_GROWN_UPS },
  // Nobody is deleted here: that is proven where accounts are.
  'POST /proxy/anonymizeMe': { fields: { languageId: 'xxx' }, expect: { everyone: 400, child: 400 } },
  'POST /proxy/loginDevice': { expect: SIGNED_IN },
  'GET /proxy/getPasswordPolicy': { expect: OPEN },
  'POST /proxy/beginSignOn': { expect: { everyone: 403 } },
  'POST /proxy/finishSignOn': { fields: { query: '?code=forged' }, expect: { everyone: 401 } },
  'POST /proxy/session': { expect: OPEN },
  'POST /proxy/msg': { expect: OPEN },
  'POST /proxy/accountDetails': { expect: OF_GROWN_UPS },
  'GET /crm/profile': { expect: SIGNED_IN },
  'GET /crm/profile/avatars': { expect: SIGNED_IN },
  'POST /crm/profile': {
    fields: { name: '', language: 'fra' },
    expect: REFUSED(400),
  },
  'PUT /crm/profile/:id': {
    fields: { id: '$profile', name: 'Camille', language: 'fra' },
    expect: { ...REFUSED(404), account: 200 },
  },
  // The default profile of its own account may not be deleted; of another it is not there.
  'DELETE /crm/profile/:id': {
    fields: { id: '$profile' },
    expect: { ...REFUSED(404), account: 403 },
  },
  'POST /crm/profile/settings': { fields: { settings: '{"layoutMode":"grid"}' }, expect: SIGNED_IN },
  'POST /proxy/adultCode': { expect: SIGNED_IN },
  'POST /proxy/setAdultCode': {
    fields: { adultCode: '12' },
    expect: REFUSED(400),
  },
  'POST /proxy/validateAdultCode': {
    fields: { parentalCode: '1234' },
    // Two of these accounts have a code.
    expect: { everyone: 404, visitor: 401, operator: 401, child: 403, other: 403 },
  },
  'POST /proxy/aboveLevel': {
    fields: { contentType: 'asset', contentId: '$strong' },
    expect: SIGNED_IN,
  },
  'POST /proxy/casAvailableDevice': { expect: OF_GROWN_UPS },
  'POST /proxy/casDeviceCount': { expect: OF_GROWN_UPS },
  'POST /proxy/casAddDevice': { expect: { everyone: 400, visitor: 401, operator: 401, child: 400 } },
  'POST /proxy/casAuth': {
    fields: { casDeviceId: '$device', name: 'Salon', type: 'device_tv' },
    expect: { ...REFUSED(404), account: 200 },
  },
  'POST /proxy/casRemoveDevice': {
    fields: { casDeviceId: '$device' },
    expect: { ...REFUSED(404), account: 200 },
  },
  'POST /proxy/startPairing': { expect: OPEN },
  'POST /proxy/pairingStatus': { fields: { secret: 'forged' }, expect: OPEN },
  'POST /proxy/pairingDevice': { fields: { code: 'ZZZZZZ' }, expect: OF_GROWN_UPS },
  'POST /proxy/addMaterialByPairing': { fields: { code: 'ZZZZZZ' }, expect: OF_GROWN_UPS },
  'POST /proxy/favoriteChannels': { expect: SIGNED_IN },
  'POST /proxy/favoriteAssets': { expect: SIGNED_IN },
  'POST /proxy/addFavoriteChannel': { fields: { idChannel: '$channel' }, expect: SIGNED_IN },
  'POST /proxy/removeFavoriteChannel': { fields: { idChannel: '$channel' }, expect: SIGNED_IN },
  'POST /proxy/addFavoriteAsset': {
    fields: { idAsset: '$strong' },
    expect: { ...SIGNED_IN, child: 404 },
  },
  'POST /proxy/removeFavoriteAsset': { fields: { idAsset: '$strong' }, expect: SIGNED_IN },
  'POST /crm/profile/active': {
    fields: { idProfile: '$profile' },
    // It is another account's.
    expect: { visitor: 401, operator: 401, account: 200, other: 404, child: 404, suspended: 404 },
  },
  'POST /proxy/hierarchy': { expect: OPEN },
  'POST /proxy/homeContent': { expect: OPEN },
  'POST /proxy/listContent': { fields: { id: '999999' }, expect: { everyone: 404 } },
  'POST /proxy/contentData': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/assets': { fields: { assetIds: '[1]' }, expect: OPEN },
  'POST /proxy/activeAssets': { expect: SIGNED_IN },
  'POST /proxy/removeActiveAsset': { fields: { idAsset: '$strong' }, expect: SIGNED_IN },
  'POST /proxy/restoreActiveAsset': { fields: { idAsset: '$strong' }, expect: SIGNED_IN },
  'POST /proxy/liveEvents': { expect: SIGNED_IN },
  'POST /proxy/aISummary': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/assetScore': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/changeScoreAsset': {
    fields: { idAsset: '$strong', score: '4' },
    expect: { ...SIGNED_IN, child: 404 },
  },
  'POST /proxy/listEditorial': { fields: { type: 'articles' }, expect: OPEN },
  'POST /proxy/editorialData': { fields: { slug: 'nowhere' }, expect: { everyone: 404 } },
  'POST /proxy/faqData': { expect: OPEN },
  'POST /proxy/listChannels': { expect: OPEN },
  'POST /proxy/listCountries': { expect: OPEN },
  'POST /proxy/epg': { expect: OPEN },
  'POST /proxy/epg/grid': { expect: OPEN },
  'GET /proxy/epg/event/:idChannel/:idEvent': {
    fields: { idChannel: '0', idEvent: '999999' },
    expect: { everyone: 404 },
  },
  'GET /cms/search': { fields: { term: 'front' }, expect: OPEN },
  'GET /cms/search/related': { fields: { contentId: '$strong' }, expect: { everyone: 200, child: 404 } },
  'GET /proxy/importProgress': { expect: { everyone: 403 } },
  'POST /proxy/testAsset': { fields: { idAsset: '$strong' }, expect: STRONG },
  'GET /proxy/listAssetTags': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/readAsset': { fields: { idAsset: '$strong', ...LANGUAGES }, expect: STRONG },
  'POST /proxy/getVodLicense': { fields: { idAsset: '$strong', ...LANGUAGES }, expect: STRONG },
  'POST /proxy/readTrailer': { fields: { idMedia: '$trailer' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/channelStream': { fields: { idChannel: '$channel' }, expect: CHANNEL },
  'POST /proxy/askLicenseWV': { fields: { idChannel: '$channel' }, expect: CHANNEL },
  'POST /proxy/askLicenseFP': { fields: { idChannel: '$channel' }, expect: CHANNEL },
  'POST /proxy/heartbeat': { fields: { session: 'forged', event: 'progress' }, expect: { everyone: 401 } },
  // Its bearer names the storefront; these callers send their tokens.
  'POST /graphql': { expect: { everyone: 401 } },
  'GET /images/:id/:height': { fields: { id: 'a'.repeat(32), height: '240' }, expect: { everyone: 404 } },
  // What a picture is of is asked for with its visibility in `images.test.ts`.
  'GET /proxy/imgdata': { fields: { type: 'icon', objectId: 'home' }, expect: OPEN },
  'GET /media/empty.vtt': { expect: OPEN },
  'GET /media/:trackSet/:rendition/:file': {
    fields: { trackSet: 'a'.repeat(32), rendition: 'v720', file: '1.m4s' },
    expect: { everyone: 404 },
  },
  'GET /play/:token/:file': { fields: { token: 'forged', file: 'manifest.mpd' }, expect: { everyone: 401 } },
  'POST /play/:token/licence': { fields: { token: 'forged' }, expect: { everyone: 401 } },
  'GET /play/:token/key/:keyId': {
    fields: { token: 'forged', keyId: 'a'.repeat(32) },
    expect: { everyone: 401 },
  },
  'GET /play/:token/relay/:file': {
    fields: { token: 'forged', file: 'main.m3u8' },
    expect: { everyone: 401 },
  },
  'GET /play/:token/relay/:sealed/*': {
    fields: { token: 'forged', sealed: 'a', '*': 'b.ts' },
    expect: { everyone: 401 },
  },
  'OPTIONS /time': { expect: { everyone: 204 } },
  'OPTIONS /media/empty.vtt': { expect: { everyone: 204 } },
  'OPTIONS /media/:trackSet/:rendition/:file': {
    fields: { trackSet: 'a'.repeat(32), rendition: 'v720', file: '1.m4s' },
    expect: { everyone: 204 },
  },
  'OPTIONS /play/:token/*': { fields: { token: 'forged', '*': 'manifest.mpd' }, expect: { everyone: 204 } },
  'GET /configuration/:apiKey/data/:file': {
    fields: { apiKey: 'ondine', file: 'configuration.json' },
    expect: OPEN,
  },
  'GET /configuration/redirectedKey': { expect: OPEN },
  [`GET ${CONFIGURATION}`]: { expect: OPERATOR },
  [`GET ${CONFIGURATION}/history`]: { expect: OPERATOR },
  [`GET ${CONFIGURATION}/diff`]: { fields: { from: '0', to: '0' }, expect: OPERATOR },
  // An operator gets past the ladder: these are refused because of what they ask for.
  [`POST ${CONFIGURATION}/change`]: {
    fields: { revision: '0', changes: '[{"path":"nothing","value":1}]' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${CONFIGURATION}/replace`]: {
    fields: { revision: '0', document: '{"nothing":1}' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${CONFIGURATION}/restore`]: {
    fields: { revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  [`POST ${CONFIGURATION}/undo`]: {
    fields: { revision: '0' },
    expect: { everyone: 403, operator: 400 },
  },
  'GET /operator/guide/sources': { expect: OPERATOR },
  'POST /operator/guide/sources/add': {
    fields: { source: '{"name":"x","location":"/etc/passwd"}' },
    expect: { everyone: 403, operator: 400 },
  },
  ...onNothing('/operator/guide/sources/:id'),
  'GET /operator/channels/lists': { expect: OPERATOR },
  'POST /operator/channels/lists/add': {
    fields: { list: '{"name":"x","location":"/etc/passwd"}' },
    expect: { everyone: 403, operator: 400 },
  },
  ...onNothing('/operator/channels/lists/:id'),
  'GET /operator/imports/:id/remarks': NOTHING,
  'GET /operator/storefronts': { expect: OPERATOR },
  'POST /operator/storefronts/:apiKey/remove': {
    fields: { apiKey: 'nowhere', accounts: '0' },
    expect: { everyone: 403, operator: 404 },
  },
  'GET /operator/menus': { expect: OPERATOR },
  'GET /operator/menus/history': { expect: OPERATOR },
  'POST /operator/menus/replace': {
    fields: { revision: '0', document: '{"nothing":1}' },
    expect: { everyone: 403, operator: 400 },
  },
  'POST /operator/menus/restore': {
    fields: { revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  'POST /operator/menus/undo': { fields: { revision: '0' }, expect: { everyone: 403, operator: 400 } },
  'GET /operator/editorial': { expect: OPERATOR },
  [`GET ${TEXTS}`]: { fields: TEXT, expect: OPERATOR },
  [`GET ${TEXTS}/history`]: { fields: TEXT, expect: OPERATOR },
  [`POST ${TEXTS}/write`]: {
    fields: { ...TEXT, revision: '0', markdown: 'nothing' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${TEXTS}/remove`]: { fields: { ...TEXT, revision: '0' }, expect: { everyone: 403, operator: 404 } },
  [`POST ${TEXTS}/restore`]: {
    fields: { ...TEXT, revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  [`POST ${TEXTS}/undo`]: { fields: { ...TEXT, revision: '0' }, expect: { everyone: 403, operator: 400 } },
  'GET /translations/:apiKey/:file': { fields: { apiKey: 'ondine', file: 'fra.json' }, expect: OPEN },
  [`GET ${WORDS}`]: { fields: FRENCH, expect: OPERATOR },
  [`GET ${WORDS}/history`]: { fields: FRENCH, expect: OPERATOR },
  [`GET ${WORDS}/diff`]: { fields: { ...FRENCH, from: '0', to: '0' }, expect: OPERATOR },
  [`POST ${WORDS}/change`]: {
    fields: { ...FRENCH, revision: '0', changes: '[{"path":"nothing","value":"x"}]' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${WORDS}/replace`]: {
    fields: { ...FRENCH, revision: '0', document: '{"nothing":"x"}' },
    expect: { everyone: 403, operator: 400 },
  },
  [`POST ${WORDS}/restore`]: {
    fields: { ...FRENCH, revision: '0', to: '7' },
    expect: { everyone: 403, operator: 404 },
  },
  [`POST ${WORDS}/undo`]: {
    fields: { ...FRENCH, revision: '0' },
    expect: { everyone: 403, operator: 400 },
  },
}

/** The calls that need somebody who is signed in. */
const OF_ACCOUNTS = OPERATIONS.filter(({ as }) => as === 'account' || as === 'profile')

/** What a child may call: nothing of it changes the account. Whoever adds a call here has thought of that. */
const FOR_CHILDREN = [
  'activeAssets',
  'removeActiveAsset',
  'restoreActiveAsset',
  'liveEvents',
  'testAsset',
  'readAsset',
  'getVodLicense',
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
  // Who watches, and how a child's profile is left.
  'listProfiles',
  'listAvatars',
  'aboveLevel',
  'activateProfile',
  'adultCode',
  'validateAdultCode',
  // Says again which device asks; `devices.test.ts` proves that a child adds none.
  'casAddDevice',
]

/** Pages of the documentation, and what catches unknown addresses: nothing of a viewer's is behind them. */
const ASIDE =
  /^(?:HEAD |GET \/docs|[A-Z]+ \/(?:proxy|cms|crm|oauth|play|media|images|configuration|operator)\/\*$)/

describe('every route of the running server', () => {
  let service: TestService
  let actors: Record<Caller, Tokens>
  let values: Record<string, string>
  let revoked: string
  /** Proofs of the parental code: of the child's account, and of another. */
  let parentalProof: string
  let foreignProof: string

  /** Sets the parental code of an account, and proves to know it. */
  async function proofOf({ account }: Actor): Promise<string> {
    const { db, keys } = service.context
    const now = service.clock.now()
    await setParentalCode(db, account.id, { code: '2580', current: undefined }, now)
    return await validateParentalCode({ db, keys }, account.id, '2580', now)
  }

  beforeAll(async () => {
    service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
    await service.app.ready()
    const { context } = service
    const build = buildersOf(context)
    const held = { cinema: {} }
    const account: Actor = await build.actor({ packages: held })
    const child = await build.actor({ packages: held, profile: { kid: true, maximumMoralityLevel: 2 } })
    parentalProof = await proofOf(child)
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

  it('of the contract is there', () => {
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
        CALLERS.map(async (caller) => {
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
          return [caller, answer.statusCode]
        }),
      )
      const wanted = CALLERS.map((caller) => {
        const proven = caller === 'proven' ? statuses.child : undefined
        return [caller, statuses[caller] ?? proven ?? statuses.everyone]
      })
      expect(answers).toEqual(wanted)
    },
  )

  it('of an account or a profile says in this table what a child gets', () => {
    const silent = OF_ACCOUNTS.filter(
      ({ method, path }) => TABLE[`${method} ${path}`]?.expect.child === undefined,
    )
    expect(silent.map(({ name }) => name)).toEqual([])
  })

  it('A6-05 a child may watch, and keep what it likes: these calls and no others', () => {
    const allowed = OF_ACCOUNTS.filter(({ child }) => child === 'allowed').map(({ name }) => name)
    expect(allowed.toSorted()).toEqual([...FOR_CHILDREN].toSorted())
  })

  it.each(OF_ACCOUNTS.filter(({ child }) => child === 'with-code').map((each) => [each.name, each] as const))(
    'A6-05 %s is not for a child without the proof of its account’s code, whatever it sends',
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

  /** A token of the caller's that does not hold, for each way in which it may not. */
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
    'A4.4-03 %s takes no token that has ended, is forged or of another kind, nor another account’s profile',
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
        // A cookie that does not hold counts as none: nobody watches.
        const cookie = `ondine_account=${account}; ondine_profile=${badTokens().forged?.profile}`
        expect(await ask({ cookie })).toEqual([403, -403])
      }
      const foreign = { 'x-auth-token': account, 'x-profile-token': actors.other['x-profile-token'] ?? '' }
      expect(await ask(foreign)).toEqual([401, -1])
    },
  )

  it.each(OPERATIONS.filter(({ as }) => as === 'operator').map((each) => [each.name, each] as const))(
    '%s takes no token but one of an operator',
    async (_name, { method, path }) => {
      const url = path.replaceAll(/:\w+/g, '1')
      for (const token of ['forged', revoked, actors.account['x-auth-token'] ?? '', '']) {
        const answer = await service.app.inject({ method, url, headers: { 'x-operator-token': token } })
        expect(answer.statusCode, token).toBe(403)
      }
    },
  )

  it('A6-01 a visitor browses and signs in, and has nothing of what belongs to an account', async () => {
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

  it('A4.4-03 tokens are checked without the database', async () => {
    const ask = async (headers: Record<string, string>) => {
      const answer = await service.app.inject({ method: 'POST', url: '/proxy/casAddDevice', headers })
      return [answer.statusCode, answer.json().error?.code]
    }
    // An embedded database has one connection: as long as this holds it, nothing else is answered from there.
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

  it('of playback takes no token that was made for something else', async () => {
    const { keys } = service.context
    for (const audience of ['account', 'profile'] as const) {
      const token = keys.sign(audience, { sub: '1' }, 3600)
      expect((await service.app.inject(`/play/${token}/manifest.mpd`)).statusCode).toBe(401)
    }
  })
})

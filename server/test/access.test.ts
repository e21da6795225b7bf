import { OPERATIONS } from '@ondine/contract/all'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { extendSchedules } from '../src/features/channels/extend-schedules.ts'
import { createTrackSetStore } from '../src/features/playback/track-sets.service.ts'
import { type Actor, buildersOf, buildTrackSet } from './builders.ts'
import { startTestService, type TestService, type Tokens } from './service.ts'

/** Who asks. `child` may see up to level 2, `other` holds no package, `suspended` holds all of them. */
const CALLERS = ['visitor', 'account', 'other', 'child', 'suspended', 'operator'] as const
type Caller = (typeof CALLERS)[number]

interface Row {
  /** The request; `$film`, `$strong`, `$trailer`, `$channel`, `$profile`, `$session` and their like are filled in. */
  fields?: Record<string, string>
  /** HTTP status of each caller; one that is not named gets that of `everyone`. */
  expect: Partial<Record<Caller | 'everyone', number>>
}

const SIGNED_IN: Row['expect'] = { everyone: 200, visitor: 401, operator: 401 }
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
const LANGUAGES = { idAudioLang: 'fra', idSubtitleLang: 'non' }

const OPERATOR: Row['expect'] = { everyone: 403, operator: 200 }
const CONFIGURATION = '/operator/configuration'
const WORDS = '/operator/words/:language'
const FRENCH = { language: 'fra' }

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
  'POST /proxy/logout': { expect: OPEN },
  'POST /proxy/session': { expect: OPEN },
  'POST /proxy/msg': { expect: OPEN },
  'POST /proxy/accountDetails': { expect: SIGNED_IN },
  'GET /crm/profile': { expect: SIGNED_IN },
  'POST /crm/profile/active': {
    fields: { idProfile: '$profile' },
    expect: { visitor: 401, operator: 401, account: 200, other: 404, child: 404, suspended: 404 },
  },
  'POST /proxy/hierarchy': { expect: OPEN },
  'POST /proxy/homeContent': { expect: OPEN },
  'POST /proxy/listContent': { fields: { id: '999999' }, expect: { everyone: 404 } },
  'POST /proxy/contentData': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/assets': { fields: { assetIds: '[1]' }, expect: OPEN },
  'POST /proxy/activeAssets': { expect: SIGNED_IN },
  'POST /proxy/assetScore': { fields: { idAsset: '$strong' }, expect: { everyone: 200, child: 404 } },
  'POST /proxy/changeScoreAsset': {
    fields: { idAsset: '$strong', score: '4' },
    expect: { ...SIGNED_IN, child: 404 },
  },
  'POST /proxy/listEditorial': { fields: { type: 'articles' }, expect: OPEN },
  'POST /proxy/editorialData': { fields: { slug: 'nowhere' }, expect: { everyone: 404 } },
  'POST /proxy/faqData': { expect: OPEN },
  'POST /proxy/listChannels': { expect: OPEN },
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

/** Pages of the documentation, and what catches unknown addresses: nothing of a viewer's is behind them. */
const ASIDE =
  /^(?:HEAD |GET \/docs|[A-Z]+ \/(?:proxy|cms|crm|oauth|play|media|images|configuration|operator)\/\*$)/

describe('every route of the running server', () => {
  let service: TestService
  let actors: Record<Caller, Tokens>
  let values: Record<string, string>

  beforeAll(async () => {
    service = await startTestService('embedded', { CATALOGUE_CACHE_SECONDS: 0 })
    await service.app.ready()
    const { context } = service
    const build = buildersOf(context)
    const held = { cinema: {} }
    const account: Actor = await build.actor({ packages: held })
    actors = {
      visitor: {},
      account: account.tokens,
      other: (await build.actor()).tokens,
      child: (await build.actor({ packages: held, profile: { kid: true, maximumMoralityLevel: 2 } })).tokens,
      suspended: (await build.actor({ packages: held, status: 'SUSPENDED' })).tokens,
      operator: (await build.operator()).tokens,
    }
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
    values = {
      $film: String(film.id),
      $strong: String(strong.id),
      $trailer: String(strong.trailerMediaId),
      $channel: String(channel.id),
      $profile: String(account.profileId),
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
          const answer = await service.app.inject({
            method: method as 'GET',
            url: method === 'GET' ? `${url}?${new URLSearchParams(filled)}` : url,
            headers: {
              ...actors[caller],
              ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
            },
            ...(method === 'POST' ? { payload: new URLSearchParams(filled).toString() } : {}),
          })
          return [caller, answer.statusCode]
        }),
      )
      const wanted = CALLERS.map((caller) => [caller, statuses[caller] ?? statuses.everyone])
      expect(answers).toEqual(wanted)
    },
  )

  it('of playback takes no token that was made for something else', async () => {
    const { keys } = service.context
    for (const audience of ['account', 'profile'] as const) {
      const token = keys.sign(audience, { sub: '1' }, 3600)
      expect((await service.app.inject(`/play/${token}/manifest.mpd`)).statusCode).toBe(401)
    }
  })
})

import { type Configuration, DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import { changeConfiguration, readConfiguration } from '@ondine/contract/configuration-calls'
import { LEVEL_AGES } from '@ondine/contract/constants'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildersOf } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService, type Tokens } from '../../../../test/service.ts'
import { createService } from '../../../service.ts'
import { revokeOperator } from '../operators/operators.service.ts'
import { valueAt } from './configuration-document.ts'
import { type Field, listFields } from './field-list.ts'

describe.each(MAIN_DB)('the configuration, on a database of kind %s', (kind) => {
  let service: TestService
  let operator: { name: string; tokens: Tokens }
  let tokens: Tokens
  let storefronts = 0

  beforeAll(async () => {
    service = await startTestService(kind)
    operator = await buildersOf(service.context).operator('Dominique')
  })
  afterAll(async () => await service.remove())
  // Each test uses a separate storefront.
  beforeEach(async () => {
    const apiKey = `front-${++storefronts}`
    await service.context.storefronts.create({ apiKey, name: 'Rive' })
    tokens = { ...operator.tokens, 'x-identity-key': apiKey }
  })

  const apiKey = () => tokens['x-identity-key'] ?? ''
  const file = async (name: string, headers: Record<string, string> = {}) =>
    await service.app.inject({ url: `/configuration/${apiKey()}/data/${name}`, headers })
  const current = async () => (await file('configuration.json')).json<Configuration>()
  const change = async (changes: { path: string; value?: unknown }[], revision = 0, reason = '') =>
    await service.call(changeConfiguration, { revision, changes, reason }, tokens)

  it('V7-31 serves the configuration of a storefront as a file, whole and by section', async () => {
    const whole = await file('configuration.json')
    expect(whole.headers['content-type']).toContain('application/json')
    // The URL of an ad server may contain keys, so no answer contains the section `ads`.
    const { ads: _, ...shown } = DEFAULT_CONFIGURATION
    expect((await file('ads.json')).statusCode).toBe(404)
    expect(whole.json()).toEqual({
      ...shown,
      brand: { ...DEFAULT_CONFIGURATION.brand, name: 'Rive' },
    })
    for (const section of Object.keys(shown) as (keyof typeof shown)[]) {
      const answer = await file(`${section}.json`)
      expect(answer.json()).toEqual(whole.json<Configuration>()[section])
    }
  })

  it('V7-31 does not find an unknown storefront or an unknown file', async () => {
    const urls = [
      '/configuration/nobody/data/configuration.json',
      ...['nothing.json', '__proto__', 'toString.json', '..%2Fconfiguration.json', '%00'].map(
        (name) => `/configuration/${apiKey()}/data/${name}`,
      ),
    ]
    for (const url of urls) expect([url, (await service.app.inject(url)).statusCode]).toEqual([url, 404])
  })

  it('does not send a known file again until it changes', async () => {
    const { headers } = await file('configuration.json')
    expect(headers['cache-control']).toBe('public, max-age=1')
    const tag = String(headers.etag)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`]) {
      const again = await file('configuration.json', { 'if-none-match': known })
      expect([again.statusCode, again.body]).toEqual([304, ''])
    }
    await change([{ path: 'brand.name', value: 'Lumière' }])
    const changed = await file('configuration.json', { 'if-none-match': tag })
    expect(changed.statusCode).toBe(200)
    expect(changed.headers.etag).not.toBe(tag)
    expect(changed.json<Configuration>().brand.name).toBe('Lumière')
  })

  it('V1-01 applies an operator’s change at once, and leaves all other fields unchanged', async () => {
    const { status, result } = await change([
      { path: 'colors.accent', value: '#ff8800' },
      { path: 'accounts.isPrivateAccessEnabled', value: true },
    ])
    expect([status, result.revision, result.warnings]).toEqual([200, 1, []])
    expect(result.differences).toEqual([
      { path: 'colors.accent', to: '#ff8800' },
      { path: 'accounts.isPrivateAccessEnabled', to: true },
    ])
    const configuration = await current()
    expect(configuration.colors).toEqual({ ...DEFAULT_CONFIGURATION.colors, accent: '#ff8800' })
    expect(configuration.accounts.isPrivateAccessEnabled).toBe(true)
    expect(configuration.offers).toEqual(DEFAULT_CONFIGURATION.offers)
  })

  it('sets or adds one item of a list that has its default', async () => {
    await change([{ path: 'home.connected.0.limit', value: 3 }])
    const more = { id: 'again', source: 'continue' }
    const { status } = await change([{ path: 'home.connected.5', value: more }], 1)
    expect(status).toBe(200)
    const { connected } = (await current()).home
    expect(connected.map(({ id, limit }) => [id, limit])).toEqual([
      ['hero', 3],
      ['live', 24],
      ['continue', 24],
      ['favorites', 24],
      ['categories', 24],
      ['again', 24],
    ])
    expect((await change([{ path: 'home.connected.9', value: more }], 2)).status).toBe(400)
  })

  it('removes one item of a list, and refuses an index that does not exist', async () => {
    const ids = async () => (await current()).home.connected.map(({ id }) => id)
    await change([{ path: 'home.connected.1' }])
    expect(await ids()).toEqual(['hero', 'continue', 'favorites', 'categories'])
    for (const place of ['4', '-1', 'first', '1.5', '']) {
      const { status } = await change([{ path: `home.connected.${place}` }], 1)
      expect([place, status]).toEqual([place, 400])
    }
    await change([{ path: 'home.connected.3' }], 1)
    expect(await ids()).toEqual(['hero', 'continue', 'favorites'])
  })

  it('A5-11 always lists the last name in the fields of a registration, for older clients', async () => {
    expect((await current()).registration.fields).toEqual(['lastName'])
    await change([{ path: 'registration.fields', value: ['lastName', 'phoneNumber'] }])
    expect((await current()).registration.fields).toEqual(['lastName', 'phoneNumber'])
    await change([{ path: 'registration.fields', value: ['phoneNumber'] }], 1)
    expect((await current()).registration.fields).toEqual(['phoneNumber', 'lastName'])
  })

  it('resets a field without a value to its default', async () => {
    await change([{ path: 'search.count', value: 12 }])
    await change([{ path: 'search.count' }], 1)
    expect((await current()).search.count).toBe(50)
    expect((await service.call(readConfiguration, {}, tokens)).result).toMatchObject({
      revision: 2,
      set: { search: {} },
    })
  })

  it.each(listFields().map((field) => [field.path, field] as const))(
    '%s refuses a value of another type, with its path and reason',
    async (path, field) => {
      const { status, error } = await change([{ path, value: wrongFor(field) }])
      expect(status).toBe(400)
      const [fault] = error.details?.fields ?? []
      expect(fault?.field.startsWith(path)).toBe(true)
      expect(fault?.message).toMatch(/\S/)
      const { result } = await service.call(readConfiguration, {}, tokens)
      expect(valueAt(result.configuration, path)).toEqual(
        path === 'brand.name' ? 'Rive' : valueAt(DEFAULT_CONFIGURATION, path),
      )
    },
  )

  it('V3-52 the four fields with a fallback warn of unknown values; other types of value are refused', async () => {
    const fields = {
      'accounts.resetPassword.mode': 'internal',
      'catalogue.subCategoryLayout': 'thumbnails',
      'accounts.consent.mode': 'disabled',
      'offers.billingRedirectionMode': 'same-tab',
    }
    const changes = Object.keys(fields).map((path) => ({ path, value: 'by-pigeon' }))
    const { status, result } = await change(changes)
    expect(status).toBe(200)
    expect(result.warnings.map(({ path }) => path).toSorted()).toEqual(Object.keys(fields).toSorted())
    const configuration = await current()
    for (const [path, fallback] of Object.entries(fields))
      expect([path, valueAt(configuration, path)]).toEqual([path, fallback])
    // Other enumerations have no fallback, so an unknown value is an error.
    expect((await change([{ path: 'live.channelLiveMode', value: 'by-pigeon' }], 1)).status).toBe(400)
  })

  it.each([
    ['V3-52', 'accounts.resetPassword.mode', ['internal', 'external-direct', 'external-popup', 'disabled']],
    ['V3-52', 'catalogue.subCategoryLayout', ['thumbnails', 'rails', 'list']],
    ['V3-52', 'accounts.consent.mode', ['once', 'each-session', 'disabled']],
    ['V3-52', 'offers.billingRedirectionMode', ['same-tab', 'new-tab']],
    ['V3-55', 'brand.barLogo', ['full', 'compact', 'logo']],
    ['V3-55', 'live.channelLiveMode', ['all-streaming', 'broadcast-only']],
    ['V3-54', 'catalogue.categorySort', ['random', 'ascendant', 'descendant', 'publication-date']],
    [
      'V3-53',
      'catalogue.categoryLayout',
      ['Hero', 'Poster', 'Cover', 'Circle', 'FullScreen', 'PosterDetail', 'Inline', 'Totem', 'OfferWide'],
    ],
  ])('%s %s accepts every value of its enumeration', async (_clause, path, values) => {
    for (const [revision, value] of values.entries()) {
      const { status, result } = await change([{ path, value }], revision)
      expect([value, status, result.warnings]).toEqual([value, 200, []])
      expect(valueAt(await current(), path)).toBe(value)
    }
  })

  it.each([
    ['V3-44', 'catalogue.getIdCatalogSeries', 12],
    ['V3-45', 'downloads.downloadEnabled', true],
    ['V3-45', 'downloads.downloadWebEnabled', true],
    ['V3-46', 'catalogue.shareEnabled', false],
    ['V3-46', 'settings.share-url', 'https://ondine.test/share'],
    ['V3-47', 'navigation.virtualRemote', true],
    ['V3-47', 'settings.receiver', 'CC1AD845'],
    ['V3-47', 'live.timeshiftOttConfig', 7200],
    ['V3-47', 'settings.settingCustomerId', 'customer-7'],
    ['V3-47', 'settings.environmentId', 'production'],
    ['V3-51', 'languages.dateFormats', { fra: 'DD/MM/YYYY', eng: 'MM/DD/YYYY' }],
  ])('%s the field %s stores the value set', async (_clause, path, value) => {
    expect((await change([{ path, value }])).status).toBe(200)
    expect(valueAt(await current(), path)).toEqual(value)
  })

  it('changes everything or nothing, and names every fault', async () => {
    const { status, error } = await change([
      { path: 'search.count', value: 12 },
      { path: 'search.recent', value: -1 },
      { path: 'colors.accent', value: 'red; background: url(https://evil.test)' },
      { path: 'colours.accent', value: '#ffffff' },
    ])
    expect(status).toBe(400)
    const faults = error.details?.fields?.map(({ field }) => field)
    expect(faults).toEqual(['colors.accent', 'search.recent', 'colours'])
    expect((await current()).search.count).toBe(50)
    expect((await service.call(readConfiguration, {}, tokens)).result.revision).toBe(0)
  })

  it.each([
    'http://player.test/',
    'http://127.0.0.1.evil.test/',
    'http://localhost:1;script-src/',
    'http://localhost/ *',
    'http://me@localhost/',
    'javascript:alert(1)',
  ])(
    'A4.9-04 refuses %s as the address of the local player, whose install page is required',
    async (value) => {
      const install = { path: 'downloads.helperInstallUrl', value: '/page/player' }
      expect((await change([{ path: 'downloads.helperUrl', value }, install])).status).toBe(400)
      const good = { path: 'downloads.helperUrl', value: 'http://127.0.0.1:17890/download' }
      expect((await change([good])).status).toBe(400)
      expect((await change([good, install])).status).toBe(200)
    },
  )

  it.each([
    [[{ path: '__proto__.polluted', value: true }]],
    [[{ path: 'constructor.prototype.polluted', value: true }]],
    [[{ path: 'navigation.getMenuProfile.__proto__', value: { url: '/', title: {} } }]],
    [[{ path: 'search..count', value: 1 }]],
    [[{ path: '.', value: 1 }]],
    [[{ path: 'search.count.more', value: 1 }]],
    [[{ path: 'style.textFont', value: '"; } body { display: none' }]],
    [[{ path: 'brand.logos.full', value: 'javascript:alert(1)' }]],
    [[{ path: 'brand.logos.full', value: '//evil.test/logo.svg' }]],
    [[{ path: 'navigation.storeLinks.ios', value: 'javascript:alert(1)' }]],
    [[{ path: 'navigation.getMenuProfile.items', value: ['help'] }]],
    [[{ path: 'navigation.copyright', value: [{}, {}, {}] }]],
    [[{ path: 'languages.default', value: 'spa' }]],
    [[{ path: 'languages.languages', value: ['fra', 'fra', 'eng'] }]],
    [[{ path: 'home.connected.1.id', value: 'hero' }]],
    [[{ path: 'catalogue.itemsPerRow', value: 2 }]],
    [[{ path: 'accounts.levelAges', value: [1, 2] }]],
    [[{ path: 'accounts.levelAges', value: [7, 10, 13, 12, 16, 18] }]],
  ])('refuses %j and changes nothing', async (changes) => {
    const { status, error } = await change(changes)
    expect([status, error.code]).toEqual([400, -400])
    expect((await file('revisions.json')).json()).toEqual({})
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('V9-16 spec 27 refuses ages below the ratings of the titles in a level, and names the lowest ones', async () => {
    const { error } = await change([{ path: 'accounts.levelAges', value: [7, 10, 9, 14, 15, 21] }])
    const reason = (age: number, level: number) =>
      `must be at least ${age}, because titles rated up to ${age} have level ${level}`
    expect(error.details?.fields).toEqual([
      { field: 'accounts.levelAges.2', message: reason(12, 3) },
      { field: 'accounts.levelAges.2', message: 'must be at least the age of the level before' },
      { field: 'accounts.levelAges.4', message: reason(16, 5) },
    ])
  })

  it.each([
    [{ revision: '0', changes: 'no JSON' }],
    [{ revision: '0', changes: '{}' }],
    [{ revision: '0', changes: '[]' }],
    [{ revision: '-1', changes: '[{"path":"search.count","value":1}]' }],
    [{ changes: '[{"path":"search.count","value":1}]' }],
    [{ revision: '0', changes: '[{"path":"search.count","value":1,"more":1}]' }],
    [{ revision: '0', changes: '[{"path":"search.count","value":1}]', reason: 'x'.repeat(501) }],
  ])('refuses a call with %j', async (fields) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: changeConfiguration.path,
      headers: { ...tokens, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(fields).toString(),
    })
    expect(answer.statusCode).toBe(400)
  })

  it('ignores fields that another version of the service has stored, and keeps the rest', async () => {
    const { documents, configurations, storefronts: all } = service.context
    const storefrontId = all.of(apiKey())?.id ?? 0
    const document = {
      gone: { field: 1 },
      search: { count: 'many', recent: 2, gone: true },
      accounts: { levelAges: [3, 6, 9, 13, 17, 21] },
      home: {
        connected: [
          { id: 'hero', source: 'hero' },
          { id: 'x', source: 'gone' },
        ],
      },
    }
    const authorship = { author: 'a later version', reason: '' }
    await documents.save({ storefrontId, name: 'configuration' }, 0, document, authorship)
    const { accounts, search, home } = configurations.of(storefrontId)
    expect([search.count, search.recent]).toEqual([50, 2])
    expect(accounts.levelAges).toEqual(LEVEL_AGES)
    expect(home.connected.map(({ id }) => id)).toEqual(['hero'])
    // The unknown field must not prevent changes. The first change removes it and reports the removal.
    const { status, result } = await change([{ path: 'search.recent', value: 3 }], 1)
    expect(status).toBe(200)
    expect(result.differences.map(({ path, to }) => [path, to])).toEqual(
      expect.arrayContaining([
        ['gone.field', undefined],
        ['search.gone', undefined],
        ['search.recent', 3],
      ]),
    )
    expect((await current()).search.recent).toBe(3)
  })

  it('unsets by name a field that another version of the service has stored', async () => {
    const { documents, storefronts: all } = service.context
    const storefrontId = all.of(apiKey())?.id ?? 0
    const document = { player: { gone: true }, gone: 1, search: { recent: 2 } }
    const authorship = { author: 'an earlier version', reason: '' }
    await documents.save({ storefrontId, name: 'configuration' }, 0, document, authorship)
    expect((await change([{ path: 'player.gone' }], 1)).status).toBe(200)
    expect((await service.call(readConfiguration, {}, tokens)).result.set).toMatchObject({
      search: { recent: 2 },
    })
  })

  it('keeps storefronts separate', async () => {
    await change([{ path: 'search.count', value: 10 }])
    const first = service.context.storefronts.first().apiKey
    const other = await service.app.inject(`/configuration/${first}/data/search.json`)
    expect(other.json()).toMatchObject({ count: 50 })
  })

  it('refuses an operator whose token was revoked, and ignores cookies', async () => {
    const { name, tokens: gone } = await buildersOf(service.context).operator()
    expect((await service.call(readConfiguration, {}, gone)).status).toBe(200)
    await revokeOperator(service.context.db, name, NOON)
    expect((await service.call(readConfiguration, {}, gone)).status).toBe(403)
    const asCookie = await service.app.inject({
      url: readConfiguration.path,
      cookies: { 'x-operator-token': operator.tokens['x-operator-token'] ?? '' },
    })
    expect(asCookie.statusCode).toBe(403)
    expect((await service.call(readConfiguration, {}, { 'x-operator-token': 'guess' })).status).toBe(403)
  })

  // Only one process can open the embedded database.
  if (kind === 'postgresql') {
    it('another process on the same database follows changes', async () => {
      const { settings, clock, log } = service.context
      const other = await createService({ settings, clock, log })
      try {
        const countThere = async () =>
          (await other.app.inject(`/configuration/${apiKey()}/data/search.json`)).json<{ count: number }>()
            .count
        expect(await countThere()).toBe(50)
        await change([{ path: 'search.count', value: 10 }])
        await expect.poll(countThere).toBe(10)
        // The other process must also refuse a change of an outdated revision.
        const late = await other.context.configurations
          .change(other.context.storefronts.of(apiKey())?.id ?? 0, 0, [{ path: 'search.count', value: 1 }], {
            author: 'late',
            reason: '',
          })
          .catch((error: unknown) => error)
        expect(late).toMatchObject({ error: 'conflict' })
      } finally {
        await other.close()
      }
    })
  }
})

/** Returns a value that a field must refuse. */
function wrongFor({ type, default: fallback }: Field): unknown {
  if (type === 'boolean') return 'yes'
  if (Array.isArray(fallback)) return { not: 'a list' }
  if (typeof fallback === 'object') return ['not an object']
  if (typeof fallback === 'number') return String(fallback)
  return 12
}

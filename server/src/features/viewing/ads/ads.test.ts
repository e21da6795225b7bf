import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { heartbeat, readAsset, reportAd } from '@ondine/contract/playback'
import { eq, like } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { FakeAdServer, vast, vmap, wrapper } from '../../../../test/fake-ad-server.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { PATIENCE } from '../../../../test/waiting.ts'
import type { ServiceError } from '../../../http/errors.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import { assets, trackSets } from '../../inventory/titles/titles.table.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { creativeId, MOST_CREATIVES, prepareAds, TRACKERS_AT_ONCE, trackerCalls } from './ads.service.ts'
import { adDeliveries } from './ads.table.ts'

const pad = (number: number) => String(number).padStart(2, '0')
const MACROS = { page_url: 'https://ondine.test/player?a=1&b=2', device_ua: 'Test/1.0' }

describe.each(MAIN_DB)('advertisements, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let adServer: FakeAdServer
  let film: Awaited<ReturnType<typeof make.asset>>
  let actor: Actor
  let spot: ReturnType<typeof buildTrackSet>

  beforeAll(async () => {
    adServer = new FakeAdServer()
    await adServer.start()
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    make = buildersOf(service.context)
    film = await make.asset('La Houle', { trackSet: buildTrackSet({ seconds: 60 }), inPackages: ['cinema'] })
    actor = await make.actor({ packages: { cinema: {} } })
    spot = await creative('/spot.mp4', 8)
    await changeConfigurationOf(service, {
      'ads.serverUrl': `${adServer.base}/ads?page=[PAGEURL]&ua=[DEVICEUA]&id=[CONTENTID]&ifa=[IFA]&lat=[LIMITADTRACKING]&x=[OTHER]`,
      'ads.timeoutMs': 2000,
    })
  })
  beforeEach(() => {
    adServer.requests.splice(0)
    adServer.documents.clear()
    adServer.silent.clear()
  })
  afterAll(async () => {
    await service.remove()
    await adServer.stop()
  })

  /** Stores a creative whose media is ready. */
  async function creative(path: string, seconds: number, base = adServer.base) {
    const { db } = service.context
    const trackSet = buildTrackSet({ seconds })
    const address = base + path
    await db
      .insert(trackSets)
      .values({ id: trackSet.id, key: Buffer.alloc(16, 7), document: trackSet, durationSeconds: seconds })
    await db.insert(adCreatives).values({
      id: creativeId(address),
      address,
      state: 'ready',
      trackSetId: trackSet.id,
      storefrontId: service.context.storefronts.first().id,
      namedAt: NOON,
    })
    return trackSet
  }

  const serve = (document: string, path = '/ads') => adServer.documents.set(path, document)
  const video = () => `${adServer.base}/spot.mp4`

  async function read(
    who = actor,
    adsMacro: Record<string, unknown> = MACROS,
    format: 'dash' | 'hls' = 'dash',
  ) {
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format } as const
    const { result } = await service.call(
      readAsset,
      { ...input, adsMacro: adsMacro as typeof MACROS },
      who.tokens,
    )
    return result
  }

  it('V7-20 asks the ad server with the client’s macros', async () => {
    serve(vast())
    await read(actor, { ...MACROS, ifa: 'abc', ifa_type: 'aaid' })
    await read(actor, { ...MACROS, ifa: 'abc', limit_ad: 1 })
    await read(actor, { ...MACROS, ifa: 'abc', limit_ad: 0 })
    const [open, limited, allowed] = adServer.requests.map(
      (request) => new URL(request, adServer.base).searchParams,
    )
    expect(open?.get('page')).toBe(MACROS.page_url)
    expect([open?.get('ua'), open?.get('id'), open?.get('ifa'), open?.get('lat'), open?.get('x')]).toEqual([
      MACROS.device_ua,
      String(film.id),
      '-1',
      '-1',
      '-1',
    ])
    // The advertising id is sent only with the user's consent.
    expect([allowed?.get('ifa'), allowed?.get('lat')]).toEqual(['abc', '0'])
    expect([limited?.get('ifa'), limited?.get('lat')]).toEqual(['-1', '1'])
  })

  it('V4-32 puts a break before the film: in the answer, the manifest and the licence', async () => {
    serve(vast({ video: video(), skipOffset: '00:00:05', click: 'https://shop.test/offer' }))
    const { breaks, url, session } = await read()
    expect(breaks).toEqual([
      {
        position: 0,
        startsAt: 0,
        ads: [
          {
            duration: 8,
            skipAfter: 5,
            clickUrl: 'https://shop.test/offer',
            report: expect.stringMatching(/^[\w-]{24}$/),
          },
        ],
      },
    ])
    const manifest = (await service.app.inject({ url })).body
    const periods = [...manifest.matchAll(/<Period id="[\d.]+" start="([^"]*)">[^]*?media\/([0-9a-f]{32})/g)]
    expect(periods.map(([, start, id]) => [start, id])).toEqual([
      ['PT0S', spot.id],
      ['PT8S', film.trackSet?.id],
    ])
    const kid = Buffer.from(spot.encryption?.keyId ?? '', 'hex').toString('base64url')
    const licence = await service.app.inject({
      method: 'POST',
      url: `/play/${session}/licence`,
      payload: JSON.stringify({ kids: [kid] }),
    })
    expect(licence.json().keys).toHaveLength(1)
  })

  it('places the breaks of a VMAP before, in and after the film, at segments', async () => {
    serve(vast({ video: video() }, { video: video() }), '/mid')
    serve(
      vmap({
        end: vast({ video: video() }),
        '00:00:21.500': `${adServer.base}/mid`,
        start: vast({ video: video() }),
        '00:02:00': vast({ video: video() }),
        soon: vast({ video: video() }),
      }),
    )
    const { breaks } = await read()
    expect(breaks?.map(({ position, startsAt, ads }) => [position, startsAt, ads.length])).toEqual([
      [0, 0, 1],
      [20, 28, 2],
      [60, 84, 1],
    ])
  })

  it('a film with many advertisements keeps its position', async () => {
    const many = vast(...Array.from({ length: 10 }, () => ({ video: video() })))
    serve(vmap(Object.fromEntries([0, 8, 16, 24, 32, 40, 48, 56].map((at) => [`00:00:${pad(at)}`, many]))))
    const { breaks, session, url } = await read()
    expect(breaks?.reduce((sum, { ads }) => sum + ads.length, 0)).toBe(50)
    expect((await service.app.inject({ url })).statusCode).toBe(200)
    expect((await service.call(heartbeat, { session, position: 33, event: 'progress' })).status).toBe(200)
    expect((await read()).seek).toBe(33)
    await service.call(heartbeat, { session, position: 0, event: 'progress' })
  })

  it('places breaks at chapters: the opportunities of a VMAP', async () => {
    const { db } = service.context
    const chapter = (start: number, end: number) => ({
      type: 'chapter' as const,
      start,
      end,
      label: `${start}`,
    })
    const marks = [chapter(0, 16), chapter(16, 40), chapter(40, 60)]
    await db.update(assets).set({ marks }).where(eq(assets.id, film.id))
    const source = vast({ video: video() })
    serve(vmap({ '#2': source, '#3': source, '#4': source, '#0': source }))
    const { breaks } = await read()
    expect(breaks?.map(({ position }) => position)).toEqual([16, 40])
    await db.update(assets).set({ marks: [] }).where(eq(assets.id, film.id))
  })

  it('V4-32 HLS has the breaks too, with the keys of film and advertisement', async () => {
    serve(vmap({ start: vast({ video: video() }), '00:00:20': vast({ video: video() }) }))
    const { breaks, url } = await read(actor, MACROS, 'hls')
    expect(breaks?.map(({ startsAt }) => startsAt)).toEqual([0, 28])
    const main = await service.app.inject({ url })
    const [playlist = ''] = main.body.match(/^[^#\n].*\.m3u8.*$/m) ?? []
    const { body } = await service.app.inject({ url: new URL(playlist, `http://ondine${url}`).pathname })
    const played = [...body.matchAll(/media\/([0-9a-f]{32})\/[^/]+\/\d+\.m4s/g)].map(([, id]) => id)
    const runs = played.filter((id, index) => id !== played[index - 1])
    const id = film.trackSet?.id
    expect(runs).toEqual([spot.id, id, spot.id, id])
    expect(body.match(/#EXT-X-DISCONTINUITY$/gm)).toHaveLength(3)
    const keys = new Set([...body.matchAll(/#EXT-X-KEY:.*URI="key\/([0-9a-f]{32})"/g)].map(([, key]) => key))
    expect(keys.size).toBe(2)
  })

  describe('of a document with several advertisements', () => {
    const one = () => ({ video: `${adServer.base}/one.mp4`, click: 'https://shop.test/one' })
    const two = () => ({ video: `${adServer.base}/two.mp4`, click: 'https://shop.test/two' })
    const three = () => ({ video: `${adServer.base}/three.mp4`, click: 'https://shop.test/three' })
    const unusable = (more: object) => ({ video: 'file:///etc/passwd', ...more })
    const shown = async () => (await read()).breaks?.[0]?.ads.map(({ clickUrl }) => clickUrl?.slice(-3))
    beforeAll(async () => {
      for (const name of ['/one.mp4', '/two.mp4', '/three.mp4']) await creative(name, 8)
    })

    it('V4-32 plays a pod in its sequence, without the stand-alone ones', async () => {
      serve(vast({ ...two(), sequence: 2 }, { ...one(), sequence: 1 }, { ...three(), sequence: null }))
      expect(await shown()).toEqual(['one', 'two'])
    })

    it('V4-32 plays a stand-alone one instead of one without a usable video, and reports that', async () => {
      const trackers = `${adServer.base}/unusable`
      serve(
        vast({ ...one(), sequence: 1 }, unusable({ sequence: 2, trackers }), unusable({ sequence: null }), {
          ...three(),
          sequence: null,
        }),
      )
      expect(await shown()).toEqual(['one', 'ree'])
      await vi.waitFor(() => expect(adServer.hits('/unusable/error/403')).toBe(1), PATIENCE)
    })

    it('V4-32 plays the first of alternatives', async () => {
      serve(vast({ ...two(), sequence: null }, { ...one(), sequence: null }))
      expect(await shown()).toEqual(['two'])
    })

    it('V4-32 plays a stand-alone one instead of one whose wrapper fails or whose video is not ready', async () => {
      const trackers = `${adServer.base}/lost`
      serve(
        vast(
          { ...one(), sequence: 1 },
          { video: `${adServer.base}/later.mp4`, sequence: 2 },
          { ...two(), sequence: null },
          { ...three(), sequence: null },
        ).replace(
          '</VAST>',
          `${wrapper(`${adServer.base}/missing`)
            .replace(/<\/?VAST( [^>]*)?>/g, '')
            .replace('<Ad id="1">', '<Ad id="9" sequence="3">')
            .replace('<AdSystem>', `<Error><![CDATA[${trackers}/[ERRORCODE]]]></Error><AdSystem>`)}</VAST>`,
        ),
      )
      expect((await shown())?.toSorted()).toEqual(['one', 'ree', 'two'])
      await vi.waitFor(
        () => expect(adServer.requests.filter((path) => path.startsWith('/lost/'))).toHaveLength(1),
        PATIENCE,
      )
    })

    it('reports a video that could not be prepared', async () => {
      const failed = `${adServer.base}/failed.mp4`
      await creative('/failed.mp4', 8)
      await service.context.db
        .update(adCreatives)
        .set({ state: 'failed', trackSetId: null })
        .where(eq(adCreatives.address, failed))
      serve(vast({ video: failed, trackers: `${adServer.base}/failed` }))
      expect(await shown()).toBeUndefined()
      await vi.waitFor(() => expect(adServer.hits('/failed/error/405')).toBe(1), PATIENCE)
    })
  })

  it('V7-20 fills the macros in the addresses that the documents refer to', async () => {
    const inner = `${adServer.base}/inner`
    serve(vmap({ start: `${adServer.base}/tag?cb=[CACHEBUSTING]&id=[CONTENTID]` }))
    serve(wrapper(`${inner}?page=[PAGEURL]`), '/tag')
    serve(vast({ video: video() }), '/inner')
    const { breaks } = await read()
    expect(breaks).toHaveLength(1)
    const [, tag, wrapped] = adServer.requests
    expect(tag).toMatch(new RegExp(`^/tag\\?cb=\\d{8}&id=${film.id}$`))
    expect(wrapped).toBe(`/inner?page=${encodeURIComponent(MACROS.page_url)}`)
  })

  it('leaves out a creative that is longer than any advertisement', async () => {
    await creative('/film.mp4', 304)
    serve(vast({ video: `${adServer.base}/film.mp4` }))
    expect((await read()).breaks).toBeUndefined()
  })

  it('leaves a new creative out, and prepares it for the next time', async () => {
    serve(vast({ video: `${adServer.base}/new.mp4` }, { video: video() }))
    expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
    await read()
    const rows = await service.context.db
      .select()
      .from(adCreatives)
      .where(eq(adCreatives.address, `${adServer.base}/new.mp4`))
    expect(rows).toMatchObject([{ state: 'waiting', trackSetId: null }])
  })

  it('notes that a creative is still named, once an hour', async () => {
    const namedAt = async () => {
      const rows = await service.context.db.select().from(adCreatives).where(eq(adCreatives.address, video()))
      return rows[0]?.namedAt
    }
    serve(vast({ video: video() }))
    const first = await namedAt()
    service.clock.set(NOON + 1800_000)
    expect((await read()).breaks).toHaveLength(1)
    expect(await namedAt()).toBe(first)
    service.clock.set(NOON + 3700_000)
    expect((await read()).breaks).toHaveLength(1)
    expect(await namedAt()).toBe(NOON + 3700_000)
    service.clock.set(NOON)
  })

  describe('with as many creatives as a storefront may have', () => {
    const HOUR_MS = 3600_000
    const isStored = async (address: string) =>
      (await service.context.db.$count(adCreatives, eq(adCreatives.address, address))) === 1

    /** Stores the maximum number of creatives of a storefront. The first creative was named least recently. */
    async function fill(storefrontId: number): Promise<string[]> {
      const { db } = service.context
      const count = await db.$count(adCreatives, eq(adCreatives.storefrontId, storefrontId))
      const others = Array.from(
        { length: MOST_CREATIVES - count },
        (_, index) => `https://cdn.test/${storefrontId}/${index}.mp4`,
      )
      await db.insert(adCreatives).values(
        others.map((address, index) => ({
          id: creativeId(address),
          address,
          storefrontId,
          namedAt: NOON - 1000 * (MOST_CREATIVES - index),
        })),
      )
      return others
    }

    afterEach(async () => {
      await service.context.db.delete(adCreatives).where(like(adCreatives.address, '%one-more%'))
      await service.context.db.delete(adCreatives).where(like(adCreatives.address, 'https://cdn.test/%'))
      service.clock.set(NOON)
    })

    it('goes on with those that it has while all of them are in use', async () => {
      await fill(service.context.storefronts.first().id)
      const one = `${adServer.base}/one-more.mp4`
      serve(vast({ video: one }, { video: video() }))
      service.clock.set(NOON + 23 * HOUR_MS)
      expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
      expect(await isStored(one)).toBe(false)
    })

    it('replaces those that were named least recently', async () => {
      const others = await fill(service.context.storefronts.first().id)
      // The ad server returns the first creative again, so it must not be replaced.
      const [first = '', second = '', third = ''] = others
      const more = [`${adServer.base}/one-more.mp4`, `${adServer.base}/one-more-again.mp4`]
      serve(vast({ video: first }, ...more.map((each) => ({ video: each })), { video: video() }))
      service.clock.set(NOON + 25 * HOUR_MS)
      expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
      expect(await Promise.all([first, ...more, video()].map(isStored))).toEqual([true, true, true, true])
      expect(await Promise.all([second, third].map(isStored))).toEqual([false, false])
      expect(await Promise.all(others.slice(3).map(isStored))).not.toContain(false)
    })

    it('stores new ones of another storefront', async () => {
      const { configurations, storefronts } = service.context
      await fill(storefronts.first().id)
      const { id } = await storefronts.create({ apiKey: 'roomy', name: 'Roomy' })
      const changes = [{ path: 'ads.serverUrl', value: `${adServer.base}/ads` }]
      await configurations.change(id, 0, changes, { author: 'test', reason: '' })
      const one = `${adServer.base}/one-more.mp4`
      serve(vast({ video: one }))
      await prepareAds(service.context, storefronts.first().id, NOON)
      expect(await isStored(one)).toBe(false)
      await prepareAds(service.context, id, NOON)
      expect(await isStored(one)).toBe(true)
    })
  })

  it('V4-33 children, holders of a package without advertisements and renters get none', async () => {
    serve(vast({ video: video() }))
    const child = await make.actor({ packages: { cinema: {} }, profile: { kid: true } })
    const { undo } = await changeConfigurationOf(service, { 'ads.adFreePackages': ['premium'] })
    const premium = await make.actor({ packages: { cinema: {}, premium: {} } })
    for (const who of [child, premium]) expect((await read(who)).breaks).toBeUndefined()
    expect(adServer.requests).toEqual([])
    expect((await read()).breaks).toHaveLength(1)
    await undo()
    expect((await read(premium)).breaks).toHaveLength(1)
  })

  it('V4-33 a viewer who has rented a film gets none in it, even if a package includes it', async () => {
    serve(vast({ video: video() }))
    const renter = await make.actor({ packages: { cinema: {} } })
    await addGrant(service.context.db, {
      accountId: renter.account.id,
      opens: { assetId: film.id },
      source: 'rental',
      sourceId: 'rental-1',
      from: NOON,
      to: NOON + 30 * 24 * 3600_000,
    })
    expect((await read(renter)).breaks).toBeUndefined()
  })

  it('starts the film without advertisements when the ad server is late', async () => {
    adServer.silent.add('/ads')
    const { undo } = await changeConfigurationOf(service, { 'ads.timeoutMs': 50 })
    const begun = performance.now()
    const { breaks, url } = await read()
    expect(breaks).toBeUndefined()
    expect(performance.now() - begun).toBeLessThan(1500)
    expect((await service.app.inject({ url })).statusCode).toBe(200)
    await undo()
  })

  it.each([
    ['no document', undefined],
    ['no XML', 'advertisement'],
    ['another document', '<html/>'],
    ['a huge document', `<VAST version="4.2">${' '.repeat(300_000)}</VAST>`],
    [
      'an entity bomb',
      '<!DOCTYPE v [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><VAST version="4.2">&b;</VAST>',
    ],
    ['no advertisement', '<VAST version="4.2"/>'],
  ])('starts the film without advertisements for %s', async (_what, document) => {
    if (document !== undefined) serve(document)
    const { breaks, url } = await read()
    expect(breaks).toBeUndefined()
    expect((await service.app.inject({ url })).statusCode).toBe(200)
  })

  it.each([
    ['namespaces', '<a xmlns:b="u">'.repeat(300) + '</a>'.repeat(300)],
    ['attributes', `<a ${Array.from({ length: 3000 }, (_, index) => `b${index}=""`).join(' ')}/>`],
  ])('does not parse a document with thousands of %s, which would stop the process', async (_what, bomb) => {
    serve(vast({ video: video() }).replace('</VAST>', `<!-- a comment -->${bomb}</VAST>`))
    expect((await read()).breaks).toBeUndefined()
    serve(vast({ video: video() }))
    expect((await read()).breaks).toHaveLength(1)
  })

  it('ends a loop of wrappers', async () => {
    serve(wrapper(`${adServer.base}/ads`))
    expect((await read()).breaks).toBeUndefined()
    expect(adServer.requests.length).toBeLessThan(8)
    serve(wrapper(`${adServer.base}/inner`))
    serve(vast({ video: video() }), '/inner')
    expect((await read()).breaks).toHaveLength(1)
  })

  describe('an advertisement behind wrappers', () => {
    const error = (name: string) => `${adServer.base}/error/${name}/[ERRORCODE]`
    const errors = () => adServer.requests.filter((path) => path.startsWith('/error/')).toSorted()
    /** Serves an advertisement behind nested wrappers. */
    function nest(wrappers: number): void {
      const path = (depth: number) => (depth === 0 ? '/ads' : `/depth-${depth}`)
      for (let depth = 0; depth < wrappers; depth++)
        serve(wrapper(adServer.base + path(depth + 1), error(`of-${depth}`)), path(depth))
      serve(vast({ video: video() }), path(wrappers))
    }

    it('is shown behind five', async () => {
      nest(5)
      expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
      expect(errors()).toEqual([])
    })

    it('is refused behind six, which is reported to each of them', async () => {
      nest(6)
      expect((await read()).breaks).toBeUndefined()
      await vi.waitFor(
        () => expect(errors()).toEqual([0, 1, 2, 3, 4, 5].map((depth) => `/error/of-${depth}/302`)),
        PATIENCE,
      )
    })

    it('is reported if its document is missing', async () => {
      serve(wrapper(`${adServer.base}/missing`, error('outer')))
      expect((await read()).breaks).toBeUndefined()
      await vi.waitFor(() => expect(errors()).toEqual(['/error/outer/301']), PATIENCE)
    })

    it('is reported if its document is empty, once to each address', async () => {
      const empty = `<VAST version="4.2"><Error><![CDATA[${error('inner')}]]></Error></VAST>`
      serve(
        vast({ video: video(), sequence: null }).replace(
          '</VAST>',
          `${wrapper(`${adServer.base}/empty`, error('outer'))
            .replace(/<\/?VAST( [^>]*)?>/g, '')
            .repeat(2)}</VAST>`,
        ),
      )
      serve(empty, '/empty')
      expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
      await vi.waitFor(() => expect(errors()).toEqual(['/error/inner/303', '/error/outer/303']), PATIENCE)
    })
  })

  it('reports an empty document to its own error trackers', async () => {
    serve(`<VAST version="4.2"><Error><![CDATA[${adServer.base}/none/[ERRORCODE]]]></Error></VAST>`)
    expect((await read()).breaks).toBeUndefined()
    await vi.waitFor(() => expect(adServer.hits('/none/303')).toBe(1), PATIENCE)
  })

  it('fetches a limited number of documents, however many wrappers a document has', async () => {
    const inner = wrapper(`${adServer.base}/more`)
    serve(inner.replace(/<Ad .*<\/Ad>/, (ad) => ad.repeat(200)))
    serve(
      inner.replace(/<Ad .*<\/Ad>/, (ad) => ad.repeat(200)),
      '/more',
    )
    expect((await read()).breaks).toBeUndefined()
    expect(adServer.requests.length).toBeLessThanOrEqual(60)
  })

  it.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'http://shop.test/',
    '//shop.test/',
  ])('V4-32 the link to the advertiser is never %s', async (click) => {
    serve(vast({ video: video(), click }))
    expect((await read()).breaks?.[0]?.ads).toMatchObject([{ clickUrl: null }])
  })

  it('V4-32 an endless link to the advertiser is left out', async () => {
    serve(vast({ video: video(), click: `https://shop.test/${'a'.repeat(4000)}` }))
    expect((await read()).breaks?.[0]?.ads).toMatchObject([{ clickUrl: null }])
  })

  it('V7-20 V4-32 fills the macros of the link to the advertiser, without data about the viewer', async () => {
    const link = (name: string) => `https://shop.test/${name}?cb=[CACHEBUSTING]&page=[PAGEURL]`
    serve(vast({ video: video(), click: link('offer') }))
    expect((await read()).breaks?.[0]?.ads[0]?.clickUrl).toMatch(
      /^https:\/\/shop\.test\/offer\?cb=\d{8}&page=-1$/,
    )
    // Brackets that are no macro belong to the page. VAST defines the macro of the size, which is unknown here.
    serve(vast({ video: video(), click: 'https://shop.test/?filter[SIZE]=42&size=[PLAYERSIZE]' }))
    expect((await read()).breaks?.[0]?.ads[0]?.clickUrl).toBe('https://shop.test/?filter[SIZE]=42&size=-1')
    serve(vast({ video: video(), click: `[PAGEURL]${link('offer')}` }))
    expect((await read()).breaks?.[0]?.ads).toMatchObject([{ clickUrl: null }])
    // The filled address would be longer than an address may be.
    serve(vast({ video: video(), click: `https://shop.test/${'[TIMESTAMP]'.repeat(300)}` }))
    expect((await read()).breaks?.[0]?.ads).toMatchObject([{ clickUrl: null }])
  })

  it('waits for all documents together no longer than the time limit', async () => {
    adServer.silent.add('/inner')
    serve(vmap({ start: `${adServer.base}/wrapped`, '00:00:20': vast({ video: video() }) }))
    serve(wrapper(`${adServer.base}/inner`), '/wrapped')
    const { undo } = await changeConfigurationOf(service, { 'ads.timeoutMs': 100 })
    const begun = performance.now()
    const { breaks, url } = await read()
    expect(performance.now() - begun).toBeLessThan(1500)
    // The break whose document is late is missing; the other break is planned.
    expect(breaks?.map(({ position }) => position)).toEqual([20])
    expect((await service.app.inject({ url })).statusCode).toBe(200)
    await undo()
  })

  it('leaves out a break whose document is missing or late, and keeps the others', async () => {
    serve('advertisement', '/no-xml')
    adServer.silent.add('/late')
    serve(
      vmap({
        start: `${adServer.base}/missing`,
        '00:00:08': `${adServer.base}/late`,
        '00:00:20': vast({ video: video() }),
        '00:00:40': `${adServer.base}/no-xml`,
        end: vast({ video: video() }),
      }),
    )
    const { undo } = await changeConfigurationOf(service, { 'ads.timeoutMs': 200 })
    expect((await read()).breaks?.map(({ position }) => position)).toEqual([20, 60])
    await undo()
  })

  describe('of the operator’s own, in the library', () => {
    const OWN = 'library:spots'
    const own = async (serverUrl: string) =>
      await changeConfigurationOf(service, { 'ads.serverUrl': serverUrl })
    const write = async (name: string, text: string) => {
      const folder = join(service.context.folders.library, 'spots')
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, name), text)
    }

    it('V4-32 play without an ad server', async () => {
      await creative('/own.mp4', 8, OWN)
      await write('breaks.xml', vmap({ start: vast({ video: `${OWN}/own.mp4` }) }))
      const { undo } = await own(`${OWN}/breaks.xml`)
      expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
      expect(adServer.requests).toEqual([])
      await undo()
    })

    it.each([
      'library:../secret.xml',
      'library:%2e%2e/secret.xml',
      'library:/etc/hosts',
      'library:%zz',
      `${OWN}/link.xml`,
    ])('are not read from %s', async (address) => {
      const { library } = service.context.folders
      const document = vmap({ start: vast({ video: `${OWN}/own.mp4` }) })
      await write('own.xml', document)
      await writeFile(join(library, '../secret.xml'), document)
      if (address.endsWith('link.xml'))
        await symlink(join(library, '../secret.xml'), join(library, 'spots/link.xml'))
      const { undo } = await own(address)
      expect((await read()).breaks).toBeUndefined()
      await undo()
    })

    it('are closed to an ad server outside that a document in the library refers to', async () => {
      // The ad server of another storefront is an allowed origin, although it is in the private network of the
      // test.
      const { configurations, storefronts } = service.context
      const { id } = await storefronts.create({ apiKey: 'other', name: 'Other' })
      const changes = [{ path: 'ads.serverUrl', value: adServer.base }]
      await configurations.change(id, 0, changes, { author: 'test', reason: '' })
      await creative('/locked.mp4', 8, OWN)
      await creative('/own-spot.mp4', 8, OWN)
      await write(
        'mixed.xml',
        vmap({ start: `${adServer.base}/outside`, '00:00:20': vast({ video: `${OWN}/own-spot.mp4` }) }),
      )
      serve(vast({ video: `${OWN}/locked.mp4` }), '/outside')
      const mixed = await own(`${OWN}/mixed.xml`)
      expect((await read()).breaks?.map(({ position }) => position)).toEqual([20])
      expect(adServer.hits('/outside')).toBe(1)
      await mixed.undo()
      // A document in the library may refer to another document by a relative address.
      await write('inner.xml', vast({ video: `${OWN}/own-spot.mp4` }))
      await write('outer.xml', wrapper('inner.xml'))
      const outer = await own(`${OWN}/outer.xml`)
      expect((await read()).breaks).toHaveLength(1)
      await outer.undo()
    })

    it('are closed to an ad server outside, which could show locked films', async () => {
      await write('own.xml', vast({ video: `${OWN}/own.mp4` }))
      serve(vast({ video: `${OWN}/own.mp4` }))
      expect((await read()).breaks).toBeUndefined()
      serve(wrapper(`${OWN}/own.xml`))
      expect((await read()).breaks).toBeUndefined()
    })
  })

  it('starts the film whatever characters the addresses have', async () => {
    for (const bad of ['\0', '\u0001', '\uFFFE', '&#xD800;']) {
      const broken = vast(
        { video: `${adServer.base}/a${bad}.mp4` },
        { video: video(), trackers: `${adServer.base}/t${bad}`, click: `https://shop.test/${bad}` },
      ).replaceAll(/<!\[CDATA\[(.*?)\]\]>/g, '$1')
      serve(broken)
      const { url } = await read()
      expect((await service.app.inject({ url })).statusCode).toBe(200)
    }
    serve(vast({ video: `${adServer.base}/a\0.mp4` }, { video: video(), trackers: `${adServer.base}/t\0` }))
    expect((await read()).breaks?.[0]?.ads).toHaveLength(1)
  })

  it('takes no scripts and no files as addresses', async () => {
    serve(
      vast(
        { video: video(), trackers: 'file:///etc' },
        { video: 'file:///etc/passwd' },
        { video: 'data:video/mp4;base64,AAAA' },
      ),
    )
    const { breaks } = await read()
    expect(breaks?.[0]?.ads).toHaveLength(1)
    const { report = '' } = breaks?.[0]?.ads[0] ?? {}
    await service.call(reportAd, { report, event: 'start' })
    expect(adServer.requests).toHaveLength(1)
  })

  it('tells the advertiser of each event once, however often it is reported', async () => {
    serve(vast({ video: video(), trackers: `${adServer.base}/track` }))
    const { report = '' } = (await read()).breaks?.[0]?.ads[0] ?? {}
    const events = ['start', 'firstQuartile', 'midpoint', 'thirdQuartile', 'complete', 'click'] as const
    for (const event of [...events, ...events])
      expect((await service.call(reportAd, { report, event })).status).toBe(200)
    await vi.waitFor(() => expect(adServer.hits('/track/click')).toBe(1), PATIENCE)
    for (const event of ['impression', 'creativeView', ...events])
      expect([event, adServer.hits(`/track/${event}`)]).toEqual([event, 1])
    expect(adServer.hits('/track/skip')).toBe(0)
    serve(vast({ video: video(), trackers: `${adServer.base}/macro/[CACHEBUSTING]/[PAGEURL]` }))
    const { report: other = '' } = (await read()).breaks?.[0]?.ads[0] ?? {}
    await service.call(reportAd, { report: other, event: 'start' })
    await vi.waitFor(
      () =>
        expect(adServer.requests).toContainEqual(expect.stringMatching(/^\/macro\/\d{8}\/-1\/impression$/)),
      PATIENCE,
    )
    // Reporting an unknown advertisement is no error.
    expect((await service.call(reportAd, { report: 'unknown', event: 'start' })).status).toBe(200)
  })

  it.each([
    ['complete', 'skip'],
    ['skip', 'complete'],
  ] as const)('tells of an advertisement with the event %s no later event %s', async (first, later) => {
    serve(vast({ video: video(), trackers: `${adServer.base}/track` }))
    const { report = '' } = (await read()).breaks?.[0]?.ads[0] ?? {}
    for (const event of [first, later])
      expect((await service.call(reportAd, { report, event })).status).toBe(200)
    const [delivery] = await service.context.db.select().from(adDeliveries).where(eq(adDeliveries.id, report))
    expect(delivery?.reported).toEqual([first])
  })

  it('tells the ad server when a break of a VMAP document starts and ends', async () => {
    const pod = vast({ video: video() }, { video: video() })
    serve(vmap({ start: pod, '00:00:20': vast({ video: video() }) }, `${adServer.base}/break`))
    const { breaks = [] } = await read()
    const [[first = '', second = ''] = [], [alone = ''] = []] = breaks.map(({ ads }) =>
      ads.map(({ report }) => report),
    )
    const told = () => adServer.requests.filter((path) => path.startsWith('/break/'))
    const tell = async (report: string, event: 'start' | 'complete' | 'skip') =>
      await service.call(reportAd, { report, event })
    await tell(first, 'start')
    await vi.waitFor(() => expect(told()).toEqual(['/break/breakStart']), PATIENCE)
    await tell(first, 'complete')
    await tell(second, 'start')
    await tell(second, 'complete')
    await vi.waitFor(() => expect(told()).toEqual(['/break/breakStart', '/break/breakEnd']), PATIENCE)
    await tell(alone, 'skip')
    await vi.waitFor(() => expect(told().slice(2)).toEqual(['/break/breakEnd']), PATIENCE)
  })

  it('tells the ad server of a break whose source fails, with the reason', async () => {
    serve('advertisement', '/no-xml')
    serve(
      vmap(
        { start: `${adServer.base}/missing`, '00:00:20': `${adServer.base}/no-xml` },
        `${adServer.base}/break`,
      ),
    )
    expect((await read()).breaks).toBeUndefined()
    const told = () => adServer.requests.filter((path) => path.startsWith('/break/')).toSorted()
    await vi.waitFor(() => expect(told()).toEqual(['/break/error/1006', '/break/error/1008']), PATIENCE)
  })

  it('tells the advertiser of the moments that it names, in seconds and in percent of the duration', async () => {
    const progress = ['00:00:02', '25%', '00:00:05.500', '00:01:00', '200%', 'soon', '-3']
    serve(vast({ video: video(), trackers: `${adServer.base}/track`, progress }))
    const { report = '', progressAt } = (await read()).breaks?.[0]?.ads[0] ?? {}
    expect(progressAt).toEqual([2, 5.5])
    for (const at of [2, 2, 3, 5.5])
      expect((await service.call(reportAd, { report, event: 'progress', at })).status).toBe(200)
    const told = () => adServer.requests.filter((path) => path.startsWith('/track/')).toSorted()
    // A quarter of 8 s is the same moment as 2 s.
    const named = ['/track/progress/0', '/track/progress/1', '/track/progress/2']
    await vi.waitFor(() => expect(told()).toEqual(named), PATIENCE)
    const [delivery] = await service.context.db.select().from(adDeliveries).where(eq(adDeliveries.id, report))
    // A client can store no moments that the advertiser has not named.
    expect(delivery?.reported).toEqual(['progress-2', 'progress-5.5'])
    serve(vast({ video: video(), trackers: `${adServer.base}/track` }))
    expect((await read()).breaks?.[0]?.ads[0]).not.toHaveProperty('progressAt')
  })

  it('lets 100,000 tracker calls wait, and drops further ones', async () => {
    const warn = vi.spyOn(service.context.log, 'warn')
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    let begun = 0
    const hold = async () =>
      await trackerCalls.run(async () => {
        begun++
        await released
      })
    const calling = Array.from({ length: TRACKERS_AT_ONCE }, hold)
    await vi.waitFor(() => expect(begun).toBe(TRACKERS_AT_ONCE), PATIENCE)
    const waiting = Array.from({ length: 100_000 - 1 }, hold)
    const address = (path: string) => adServer.base + path
    const trackers = { start: [address('/waits'), address('/dropped')], complete: [address('/later')] }
    await service.context.db.insert(adDeliveries).values({ id: 'crowd', trackers, createdAt: NOON })
    expect((await service.call(reportAd, { report: 'crowd', event: 'start' })).status).toBe(200)
    const err = expect.objectContaining({ error: 'temporarilyUnavailable' }) as ServiceError
    await vi.waitFor(
      () => expect(warn).toHaveBeenCalledWith({ err, event: 'start' }, expect.stringContaining('tracker')),
      PATIENCE,
    )
    expect(warn).toHaveBeenCalledTimes(1)
    expect(adServer.requests).toEqual([])
    release()
    await Promise.all([...calling, ...waiting])
    await vi.waitFor(() => expect(adServer.requests).toEqual(['/waits']), PATIENCE)
    expect((await service.call(reportAd, { report: 'crowd', event: 'complete' })).status).toBe(200)
    await vi.waitFor(() => expect(adServer.requests).toEqual(['/waits', '/later']), PATIENCE)
    warn.mockRestore()
  })

  it('calls a limited number of trackers at once', async () => {
    adServer.silent.add('/slow')
    const trackers = { start: Array.from({ length: 20 }, () => `${adServer.base}/slow`) }
    const ids = Array.from({ length: 8 }, (_, index) => `slow-${index}`)
    await service.context.db.insert(adDeliveries).values(ids.map((id) => ({ id, trackers, createdAt: NOON })))
    for (const report of ids)
      expect((await service.call(reportAd, { report, event: 'start' })).status).toBe(200)
    await vi.waitFor(() => expect(adServer.hits('/slow')).toBeGreaterThanOrEqual(TRACKERS_AT_ONCE), PATIENCE)
    expect(adServer.hits('/slow')).toBe(TRACKERS_AT_ONCE)
    adServer.speak()
    await vi.waitFor(() => expect(adServer.hits('/slow')).toBe(160), PATIENCE)
  })
})

describe('an ad server in a private network', () => {
  it('cannot name others in private networks, although the operator allows the network', async () => {
    const [adServer, other] = [new FakeAdServer(), new FakeAdServer()]
    await adServer.start()
    await other.start()
    const service = await startTestService('embedded', { OUTBOUND_ALLOW: ['127.0.0.0/8'] })
    await changeConfigurationOf(service, { 'ads.serverUrl': `${adServer.base}/ads`, 'ads.timeoutMs': 2000 })
    const make = buildersOf(service.context)
    const film = await make.asset('La Houle', { inPackages: ['cinema'] })
    const actor = await make.actor({ packages: { cinema: {} } })
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    const read = async () => await service.call(readAsset, { ...input, adsMacro: MACROS }, actor.tokens)
    // The ad server refers to documents of another server: first in a wrapper, then in a break of a VMAP document.
    other.documents.set('/vast', vast())
    adServer.documents.set('/own', vast())
    adServer.documents.set('/ads', wrapper(`${other.base}/vast`))
    await read()
    adServer.documents.set('/ads', vmap({ start: `${other.base}/vast`, end: `${adServer.base}/own` }))
    await read()
    expect(adServer.requests).toEqual(['/ads', '/ads', '/own'])
    // One of the two trackers is on the other server.
    const start = [`${other.base}/tracker`, `${adServer.base}/tracker`]
    await service.context.db
      .insert(adDeliveries)
      .values({ id: 'delivery', trackers: { start }, createdAt: NOON })
    await service.call(reportAd, { report: 'delivery', event: 'start' })
    await vi.waitFor(() => expect(adServer.hits('/tracker')).toBe(1), PATIENCE)
    expect(other.requests).toEqual([])
    await service.remove()
    await adServer.stop()
    await other.stop()
  })

  it('is not asked unless the operator allows it', async () => {
    const adServer = new FakeAdServer()
    await adServer.start()
    const service = await startTestService()
    await changeConfigurationOf(service, { 'ads.serverUrl': `${adServer.base}/ads` })
    const make = buildersOf(service.context)
    const film = await make.asset('La Houle', { inPackages: ['cinema'] })
    const actor = await make.actor({ packages: { cinema: {} } })
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format: 'dash' } as const
    const { result } = await service.call(readAsset, { ...input, adsMacro: MACROS }, actor.tokens)
    expect(result.breaks).toBeUndefined()
    expect(adServer.requests).toEqual([])
    await service.remove()
    await adServer.stop()
  })
})

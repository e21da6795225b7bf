import { channelStream, LIVE_AD_SCHEME, type LiveAd, reportAd } from '@ondine/contract/playback'
import { layoutOfChannel } from '@ondine/media/layout'
import type { Splice, TrackSet } from '@ondine/media/track-set'
import { sql } from 'drizzle-orm'
import * as hls from 'hls-parser'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { changeConfigurationOf } from '../../../../test/configuration.ts'
import { FakeAdServer, type VastAd, vast, vmap } from '../../../../test/fake-ad-server.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { PATIENCE } from '../../../../test/waiting.ts'
import { spliceInsert } from '../../../ingest/live/test-transport-stream.ts'
import { adCreatives } from '../../inventory/creatives/creatives.table.ts'
import { trackSets } from '../../inventory/titles/titles.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { addGrant } from '../../rights/entitlements/grants.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { addSet, endSet, setLayout, updateSet } from '../../streams/live-inputs/live-sets.repository.ts'
import { createManifests } from '../../streams/manifests/manifests.service.ts'
import { createChannelAir } from '../../streams/on-air/on-air.service.ts'
import { createSessionReader } from '../../streams/play-sessions/play-sessions.service.ts'
import type { AdsMacro } from './ad-macros.ts'
import { creativeId, sweepAds } from './ads.service.ts'
import { adBreaks, adSessions } from './ads.table.ts'
import { createLiveBreaks } from './live-breaks.service.ts'

const SEGMENT_MS = 4000
const MACROS = { page_url: 'https://ondine.test/player?channel=1', device_ua: 'Test/1.0' }

/** The tests write the media of live channels themselves, so that they control the time. Segments last 4 s. */
describe.each(MAIN_DB)('breaks of live channels, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let adServer: FakeAdServer
  let viewer: Actor
  let count = 0
  let spot: TrackSet

  beforeAll(async () => {
    adServer = new FakeAdServer()
    await adServer.start()
    service = await startTestService(kind, { OUTBOUND_ALLOW: ['127.0.0.1'] })
    make = buildersOf(service.context)
    viewer = await make.actor({ packages: { cinema: {} } })
    spot = await creative('/spot.mp4', 12)
    await creative('/short.mp4', 8)
    await changeConfigurationOf(service, {
      'ads.serverUrl': `${adServer.base}/ads?id=[CONTENTID]&most=[BREAKMAXDURATION]&page=[PAGEURL]`,
      'ads.timeoutMs': 2000,
      'ads.adFreePackages': ['premium'],
    })
  })
  beforeEach(() => {
    adServer.requests.splice(0)
    adServer.silent.clear()
    serve({ video: '/spot.mp4' })
    service.clock.set(NOON)
  })
  afterAll(async () => {
    await service.remove()
    await adServer.stop()
  })

  /** Stores a creative whose media is ready. */
  async function creative(path: string, seconds: number): Promise<TrackSet> {
    const { db } = service.context
    const document = buildTrackSet({ seconds, subtitles: [] })
    const address = adServer.base + path
    const { id } = document
    await db.insert(trackSets).values({ id, key: Buffer.alloc(16, 7), document, durationSeconds: seconds })
    const storefrontId = service.context.storefronts.first().id
    const row = { address, state: 'ready', trackSetId: id, storefrontId, namedAt: NOON } as const
    await db.insert(adCreatives).values({ id: creativeId(address), ...row })
    return document
  }

  function serve(...ads: VastAd[]): void {
    const named = ads.map((ad) => ({ ...ad, video: adServer.base + ad.video }))
    adServer.documents.set('/ads', vast(...named))
  }

  /** A live channel to which the test appends media. The clock moves to the end of the media. */
  class Broadcast {
    readonly idChannel: number
    #sets: { document: TrackSet; startsAt: number; segments: number; splices: Splice[] }[] = []
    #segments = 0

    constructor(idChannel: number) {
      this.idChannel = idChannel
    }

    get #open() {
      return this.#sets.at(-1)
    }

    /** Time at which the media of the channel ends. */
    get endsAt(): number {
      const open = this.#open
      return open ? open.startsAt + open.segments * SEGMENT_MS : NOON
    }

    /** Begins a TrackSet with one segment. */
    async begin(): Promise<void> {
      const { db } = service.context
      const before = this.#open
      const { endsAt: startsAt, idChannel: channelId } = this
      const document = { ...buildTrackSet({ seconds: 4, subtitles: [] }) }
      if (!before) await setLayout(db, channelId, layoutOfChannel([document], 4), NOON)
      else {
        const { document: ended, startsAt: begun } = before
        const set = { channelId, trackSetId: ended.id, startsAt: begun, endsAt: startsAt }
        await db.transaction(async (tx) => await endSet(tx, set))
      }
      this.#sets.push({ document, startsAt, segments: 1, splices: [] })
      const set = {
        channelId,
        position: this.#sets.length - 1,
        startsAt,
        joint: before ? 'continuous' : 'break',
        mediaSequence: this.#segments,
        discontinuitySequence: 0,
      } as const
      await db.transaction(
        async (tx) => await addSet(tx, set, this.#described(), Buffer.alloc(16, this.#sets.length)),
      )
      this.#segments++
      service.clock.set(this.endsAt)
    }

    /** Appends segments. The first one carries the mark. */
    async append(segments: number, mark?: Buffer): Promise<void> {
      const open = this.#open
      if (!open) throw new Error('There is no TrackSet yet.')
      if (mark) open.splices.push({ seconds: 10 + open.segments * 4, section: mark.toString('base64') })
      open.segments += segments
      this.#segments += segments
      await updateSet(service.context.db, this.#described())
      service.clock.set(this.endsAt)
    }

    #described(): TrackSet {
      const { document, segments, splices } = this.#open ?? { document: undefined, segments: 0, splices: [] }
      if (!document) throw new Error('There is no TrackSet yet.')
      const grown = buildTrackSet({ seconds: segments * 4, subtitles: [] })
      const renditions = grown.renditions.map((rendition) => ({
        ...rendition,
        startTicks: 10 * rendition.timescale,
      }))
      return { ...document, renditions, splices }
    }
  }

  async function onAir(timeshiftSeconds = 1800): Promise<Broadcast> {
    const rules = { kind: 'sequence', titles: ['nothing'] }
    const fields = { kind: 'live' as const, free: true, timeshiftSeconds }
    const broadcast = new Broadcast((await make.channel(`Breaks ${++count}`, rules, fields)).id)
    await broadcast.begin()
    await broadcast.append(4)
    return broadcast
  }

  /**
   * Begins a session. Requests its manifest at once, unless the test wants a session that was requested ahead of
   * time.
   */
  async function watch(
    { idChannel }: Broadcast,
    {
      who = viewer,
      start,
      macros = MACROS,
      format = 'hls',
      isAhead = false,
    }: {
      who?: Actor
      start?: number
      /** The macros that the client sends for advertising; null for a client that sends no macros. */
      macros?: AdsMacro | null
      format?: 'hls' | 'dash'
      isAhead?: boolean
    } = {},
  ) {
    const input = {
      idChannel,
      format,
      ...(macros && { adsMacro: macros }),
      ...(start !== undefined && { start: start / 1000 }),
    }
    const { result } = await service.call(channelStream, input, who.tokens)
    if (!isAhead) await get(result.url)
    return result
  }

  async function get(url: string): Promise<string> {
    const { body, statusCode } = await service.app.inject({ url: url.split('#')[0] ?? '' })
    expect(statusCode).toBe(200)
    return body
  }

  async function playlist(url: string): Promise<hls.types.MediaPlaylist> {
    const [base = ''] = url.split('main.m3u8')
    const { variants } = hls.parse(await get(url)) as hls.types.MasterPlaylist
    return hls.parse(await get(`${base}${variants[0]?.uri}`)) as hls.types.MediaPlaylist
  }

  /** Returns the segments of a playlist: `spot 1`, or the seconds since the beginning of the channel. */
  async function shown(url: string): Promise<(string | number)[]> {
    const { segments } = await playlist(url)
    return segments.map(({ uri, programDateTime }) =>
      uri.includes(spot.id) ? `spot ${/(\d+)\.m4s/.exec(uri)?.[1]}` : secondsOf(programDateTime, uri),
    )
  }

  const secondsOf = (date: Date | undefined, uri: string) =>
    date === undefined ? Number(/(\d+)\.m4s/.exec(uri)?.[1]) * 4 - 4 : (date.getTime() - NOON) / 1000

  /** Returns the advertisements that a DASH manifest announces, with their start times. */
  const announced = (manifest: string) =>
    [
      ...manifest.matchAll(
        /<Period id="[^"]*" start="PT([\d.]+)S">\n<EventStream[^>]*><Event [^>]*messageData="([^"]*)"/g,
      ),
    ].map(([, start, data = '']) => ({
      at: Number(start) - NOON / 1000,
      ad: JSON.parse(Buffer.from(data, 'base64').toString()) as LiveAd,
    }))

  it('V4-32 are replaced for a viewer with advertisements, and end at the same time', async () => {
    const broadcast = await onAir()
    const { url, session } = await watch(broadcast)
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16])
    await broadcast.append(1, spliceInsert(0, { seconds: 20 }))
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 'spot 1'])
    await broadcast.append(3)
    // The spot lasts 12 s. The channel's own media fills the rest of the break.
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 'spot 1', 'spot 2', 'spot 3', 32])
    await broadcast.append(2)
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 'spot 1', 'spot 2', 'spot 3', 32, 36, 40])
    const key = await service.app.inject({ url: `/play/${session}/key/${spot.encryption?.keyId}` })
    expect([key.statusCode, key.rawPayload]).toEqual([200, Buffer.alloc(16, 7)])
    expect(adServer.requests).toEqual([
      `/ads?id=channel-${broadcast.idChannel}&most=20&page=${encodeURIComponent(MACROS.page_url)}`,
    ])
  })

  it('V4-32 announce their advertisements in the manifest, and tell advertisers once', async () => {
    serve({
      video: '/spot.mp4',
      trackers: `${adServer.base}/t`,
      click: 'https://shop.test/a?b="c"',
      skipOffset: '00:00:02',
    })
    const broadcast = await onAir()
    const { url } = await watch(broadcast, { format: 'dash' })
    await broadcast.append(1, spliceInsert(0, { seconds: 12 }))
    await broadcast.append(2)
    const manifest = await get(url)
    expect(manifest).toContain(`<EventStream schemeIdUri="${LIVE_AD_SCHEME}"`)
    const report = expect.stringMatching(/^[\w-]{24}$/) as string
    // The break has the length of the broadcaster's break, so no advertisement can be skipped.
    const ad = {
      duration: 12,
      skipAfter: null,
      clickUrl: 'https://shop.test/a?b="c"',
      report,
      number: 1,
      count: 1,
    }
    expect(announced(manifest)).toEqual([{ at: 20, ad }])
    const [named] = announced(manifest)
    for (let times = 0; times < 2; times++)
      await service.call(reportAd, { report: named?.ad.report ?? '', event: 'start' })
    await vi.waitFor(() => expect(adServer.hits('/t/start')).toBe(1), PATIENCE)
    expect(adServer.hits('/t/impression')).toBe(1)
  })

  it('V4-32 tell the ad server when they start and end, and link with filled macros', async () => {
    const spots = vast(
      { video: `${adServer.base}/spot.mp4`, click: 'https://shop.test/?cb=[CACHEBUSTING]' },
      { video: `${adServer.base}/short.mp4` },
    )
    adServer.documents.set('/ads', vmap({ start: spots }, `${adServer.base}/break`))
    const broadcast = await onAir()
    const { url } = await watch(broadcast, { format: 'dash' })
    await broadcast.append(6, spliceInsert(0, { seconds: 20 }))
    const [first, last] = announced(await get(url)).map(({ ad }) => ad)
    expect(first?.clickUrl).toMatch(/^https:\/\/shop\.test\/\?cb=\d{8}$/)
    const told = () => adServer.requests.filter((path) => path.startsWith('/break/'))
    for (const [ad, event] of [
      [first, 'start'],
      [first, 'complete'],
    ] as const)
      await service.call(reportAd, { report: ad?.report ?? '', event })
    await vi.waitFor(() => expect(told()).toEqual(['/break/breakStart']), PATIENCE)
    await service.call(reportAd, { report: last?.report ?? '', event: 'complete' })
    await vi.waitFor(() => expect(told()).toEqual(['/break/breakStart', '/break/breakEnd']), PATIENCE)
  })

  it('stay for everybody else, whose manifests are the same bytes', async () => {
    const broadcast = await onAir()
    const child = await make.actor({ profile: { kid: true }, packages: { cinema: {} } })
    const premium = await make.actor({ packages: { cinema: {}, premium: {} } })
    const sessions = [
      await watch(broadcast),
      await watch(broadcast, { who: child }),
      await watch(broadcast, { who: premium }),
      await watch(broadcast, { macros: null }),
    ]
    const manifests = async () =>
      await Promise.all(sessions.map(async ({ url }) => await get(url.replace('main.m3u8', 'v720.m3u8'))))
    const before = await manifests()
    expect(new Set(before).size).toBe(1)
    await broadcast.append(2, spliceInsert(0, { seconds: 12 }))
    const [replaced, ...others] = await manifests()
    expect(new Set(others).size).toBe(1)
    expect(others[0]).not.toContain(spot.id)
    expect(replaced).toContain(spot.id)
    // A session without advertisements gets no keys of the advertisements' media.
    const key = await service.app.inject({
      url: `/play/${sessions[2]?.session}/key/${spot.encryption?.keyId}`,
    })
    expect(key.statusCode).toBe(403)
    expect(adServer.requests).toHaveLength(1)
  })

  it('V4-33 stay from the next break on for a viewer who gets a package without advertisements', async () => {
    const { db, viewers } = service.context
    const broadcast = await onAir()
    const buyer = await make.actor({ packages: { cinema: {} } })
    const { url } = await watch(broadcast, { who: buyer })
    await broadcast.append(4, spliceInsert(0, { seconds: 12 }))
    const before = [0, 4, 8, 12, 16, 'spot 1', 'spot 2', 'spot 3', 32]
    expect(await shown(url)).toEqual(before)
    const packageId = await ensurePackage(db, 'premium', { fra: 'Premium', eng: 'Premium' })
    const { account, profileId } = buyer
    const right = { source: 'operator', sourceId: 'test', from: NOON, to: null } as const
    await addGrant(db, { accountId: account.id, opens: { packageId }, ...right })
    const caller = { account, profile: { id: profileId, kid: false, maximumMoralityLevel: 0 } }
    await vi.waitFor(
      async () => expect((await viewers.of(caller, service.clock.now())).packageIds).toContain(packageId),
      PATIENCE,
    )
    await broadcast.append(4, spliceInsert(0, { seconds: 12 }))
    expect(await shown(url)).toEqual([...before, 36, 40, 44, 48])
    expect(adServer.requests).toHaveLength(1)
  })

  it('stay if the ad server does not answer in time, names nothing that fits, or has no duration', async () => {
    const broadcast = await onAir()
    const { url } = await watch(broadcast)
    adServer.silent.add('/ads')
    await changeConfigurationOf(service, { 'ads.timeoutMs': 50 })
    await broadcast.append(5, spliceInsert(0, { seconds: 20 }))
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32, 36])
    adServer.silent.clear()
    await changeConfigurationOf(service, { 'ads.timeoutMs': 2000 })
    // The ad server is not asked again: the advertisements of a shown break do not change.
    expect(await shown(url)).toHaveLength(10)
    expect(adServer.requests).toHaveLength(1)
    await broadcast.append(3, spliceInsert(0, { seconds: 8 }))
    await broadcast.append(2, spliceInsert(0))
    expect(await shown(url)).toHaveLength(15)
    expect((await shown(url)).join()).not.toContain('spot')
    expect(adServer.requests).toHaveLength(2)
  })

  it('end when the broadcaster returns early, also in the middle of an advertisement', async () => {
    const broadcast = await onAir()
    const { url } = await watch(broadcast)
    await broadcast.append(2, spliceInsert(0, { seconds: 60 }))
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 'spot 1', 'spot 2'])
    await broadcast.append(2, spliceInsert(0, { isOut: false }))
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 'spot 1', 'spot 2', 28, 32])
  })

  it('are filled again after a break whose advertisements had ended before the broadcaster returned early', async () => {
    const broadcast = await onAir()
    const { url } = await watch(broadcast)
    await broadcast.append(4, spliceInsert(0, { seconds: 60 }))
    const before = [0, 4, 8, 12, 16, 'spot 1', 'spot 2', 'spot 3', 32]
    expect(await shown(url)).toEqual(before)
    await broadcast.append(2, spliceInsert(0, { isOut: false }))
    await broadcast.append(3, spliceInsert(0, { seconds: 12 }))
    expect(await shown(url)).toEqual([...before, 36, 40, 'spot 1', 'spot 2', 'spot 3'])
  })

  it('fill a break with what fits, each advertisement once', async () => {
    serve({ video: '/spot.mp4' }, { video: '/spot.mp4' }, { video: '/short.mp4' })
    const broadcast = await onAir()
    const { url } = await watch(broadcast, { format: 'dash' })
    await broadcast.append(6, spliceInsert(0, { seconds: 20 }))
    expect(announced(await get(url)).map(({ at, ad: { number, count: of } }) => [at, number, of])).toEqual([
      [20, 1, 2],
      [32, 2, 2],
    ])
  })

  it('are the same when a viewer goes back, and in a process that has just started', async () => {
    const broadcast = await onAir()
    const { url, session: token } = await watch(broadcast)
    await broadcast.append(3, spliceInsert(0, { seconds: 12 }))
    await shown(url)
    serve({ video: '/short.mp4' })
    await broadcast.append(30)
    expect((await shown(url)).slice(5, 8)).toEqual(['spot 1', 'spot 2', 'spot 3'])
    const { context } = service
    const store = createTrackSetStore(context.db)
    const air = createChannelAir(context.db, store, context.connection.changes)
    const other = createManifests(store, air, createLiveBreaks(context, store), undefined)
    const reader = createSessionReader(context.keys, { has: () => false, isSuspended: () => false })
    const session = reader.read(token, context.clock.now())
    if (!session) throw new Error('The session has ended.')
    const written = await other.write(
      {
        session,
        file: 'v720.m3u8',
        query: { laurl: false, clearKey: false },
        addresses: () => ({ utcTimingUrl: '/time' }),
        encoding: undefined,
      },
      context.clock.now(),
    )
    expect(written?.body.toString()).toBe(await get(url.replace('main.m3u8', 'v720.m3u8')))
    expect(adServer.requests).toHaveLength(1)
  })

  it('count on after the media before them, and then the break itself, have left', async () => {
    const broadcast = await onAir(0)
    const { url } = await watch(broadcast)
    await broadcast.append(2, spliceInsert(0, { seconds: 32 }))
    const numbers = new Map<string, number>()
    for (let step = 0; step < 60; step++) {
      if (step % 7 === 3) await broadcast.begin()
      else await broadcast.append(1)
      const { segments, mediaSequenceBase = 0 } = await playlist(url)
      for (const [index, { uri }] of segments.entries()) {
        const number = mediaSequenceBase + index
        expect(numbers.get(uri) ?? number).toBe(number)
        numbers.set(uri, number)
      }
    }
    expect(new Set(numbers.values()).size).toBe(numbers.size)
    expect([...numbers.keys()].filter((uri) => uri.includes(spot.id))).toHaveLength(3)
    expect((await playlist(url)).segments).toHaveLength(15)
  })

  it('that began before the session stay, except for a viewer who starts before them', async () => {
    const broadcast = await onAir()
    await broadcast.append(5, spliceInsert(0, { seconds: 12 }))
    const joined = await watch(broadcast)
    expect((await shown(joined.url)).join()).not.toContain('spot')
    const startedOver = await watch(broadcast, { start: NOON + 4000 })
    expect(await shown(startedOver.url)).toEqual([0, 4, 8, 12, 16, 'spot 1', 'spot 2', 'spot 3', 32, 36])
  })

  it('that began before the viewer zapped to a channel whose session was requested ahead of time stay', async () => {
    const broadcast = await onAir()
    const { url } = await watch(broadcast, { isAhead: true })
    await broadcast.append(2, spliceInsert(0, { seconds: 12 }))
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 20, 24])
    await broadcast.append(2)
    expect(await shown(url)).toEqual([0, 4, 8, 12, 16, 20, 24, 28, 32])
    expect(adServer.requests).toEqual([])
    await broadcast.append(3, spliceInsert(0, { seconds: 12 }))
    expect((await shown(url)).slice(9)).toEqual(['spot 1', 'spot 2', 'spot 3'])
  })

  it('that began before the session stay, also once only a mark inside them is left', async () => {
    const broadcast = await onAir(0)
    await broadcast.append(4, spliceInsert(0, { seconds: 400 }))
    const { url } = await watch(broadcast)
    await shown(url)
    await broadcast.begin()
    await broadcast.append(2, spliceInsert(0, { seconds: 300 }))
    for (let step = 0; step < 60; step++) {
      if (step % 7 === 3) await broadcast.begin()
      else await broadcast.append(1)
      expect((await shown(url)).join()).not.toContain('spot')
    }
    expect(adServer.requests).toEqual([])
  })

  it('wait while the database fails, and then count on', async () => {
    const { db } = service.context
    const broadcast = await onAir(0)
    const { url } = await watch(broadcast)
    const media = url.replace('main.m3u8', 'v720.m3u8')
    const listed = new Map<number, string>()
    let oldest = 0

    /** Reads the manifest, and checks that each media sequence number still refers to the same segment. */
    async function count(): Promise<void> {
      const { segments, mediaSequenceBase = 0 } = await playlist(url)
      expect(mediaSequenceBase).toBeGreaterThanOrEqual(oldest)
      oldest = mediaSequenceBase
      for (const [index, { uri }] of segments.entries()) {
        const number = mediaSequenceBase + index
        expect([number, listed.get(number) ?? uri]).toEqual([number, uri])
        listed.set(number, uri)
      }
    }

    /** Requests the manifest while a table cannot be read or written. */
    async function withoutTable(name: string): Promise<void> {
      await db.execute(sql`alter table ${sql.identifier(name)} rename to unreachable`)
      try {
        const { statusCode, headers } = await service.app.inject({ url: media })
        expect([name, statusCode, headers['retry-after']]).toEqual([name, 503, '1'])
      } finally {
        await db.execute(sql`alter table unreachable rename to ${sql.identifier(name)}`)
      }
      await count()
    }

    await count()
    await broadcast.append(1, spliceInsert(0, { seconds: 12 }))
    // A break begins, but its rows cannot be stored.
    await withoutTable('ad_breaks')
    await broadcast.append(2)
    await count()
    await broadcast.append(1)
    // The break ends, but the sequence numbers after the break cannot be stored.
    await withoutTable('ad_breaks')
    await broadcast.append(1, spliceInsert(0, { seconds: 12 }))
    await withoutTable('ad_deliveries')
    await broadcast.append(10)
    // After the session was silent, its row is read again.
    await withoutTable('ad_sessions')
    expect(oldest).toBeGreaterThan(0)
    expect([...listed.values()].filter((uri) => uri.includes(spot.id))).toHaveLength(6)
  })

  it.each([
    ['limits advertising', { limit_ad: 1 }, {}],
    ['says nothing about it', {}, {}],
    ['does not limit it', { limit_ad: 0 }, { ifa: 'abc', ifa_type: 'aaid' }],
  ] as const)(
    'V7-20 store the advertising id only with leave: a client that %s',
    async (_what, limits, stored) => {
      const { db } = service.context
      await db.delete(adSessions)
      const macros = { ...MACROS, ...limits, ifa: 'abc', ifa_type: 'aaid' }
      await watch(await onAir(), { macros })
      const rows = await db.select({ macros: adSessions.macros }).from(adSessions)
      expect(rows).toEqual([{ macros: { ...MACROS, ...limits, ...stored } }])
    },
  )

  it('are forgotten after a day, with what the client sent', async () => {
    const broadcast = await onAir()
    const { url } = await watch(broadcast)
    await broadcast.append(2, spliceInsert(0, { seconds: 12 }))
    await shown(url)
    const { db } = service.context
    expect([await db.$count(adSessions), await db.$count(adBreaks)]).not.toContain(0)
    await sweepAds(db, NOON + 48 * 3600_000)
    expect([await db.$count(adSessions), await db.$count(adBreaks)]).toEqual([0, 0])
  })
})

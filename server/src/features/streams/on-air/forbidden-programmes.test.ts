import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { epg } from '@ondine/contract/channels'
import { channelStream } from '@ondine/contract/playback'
import { createRecording, playRecording, restoreRecording } from '@ondine/contract/recordings'
import { layoutOfChannel } from '@ondine/media/layout'
import type { TrackSet } from '@ondine/media/track-set'
import { eq } from 'drizzle-orm'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { parse as parseDash } from 'mpd-parser'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { buildTrackSet } from '../../../../test/builders.ts'
import { runCommand } from '../../../../test/commands.ts'
import { guideOf, show } from '../../../../test/guides.ts'
import { listenLocally } from '../../../../test/local-server.ts'
import { testScene } from '../../../../test/scene.ts'
import { MAIN_DB, NOON } from '../../../../test/service.ts'
import { liveSets } from '../../inventory/line-up/line-up.table.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { ensurePackage } from '../../rights/entitlements/packages.service.ts'
import { programmes } from '../../television/guide-import/guide.table.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { addSet, endSet, setLayout } from '../live-inputs/live-sets.repository.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** Segments in a minute: the live channels of these tests have segments of four seconds. */
const SEGMENTS_OF_A_MINUTE = 15

/** A programme of a guide: title, and its minutes from noon. */
type Announced = [title: string, from: number, to: number, inside?: string]

const LIVE_ONLY = '<rights start-over="no" time-shift="no"/>'

/**
 * The tests write the TrackSets of these live channels. Each channel begins an hour before noon, and has a
 * TrackSet for every five minutes until an hour after noon. Manifests list no media after the present time.
 */
describe.each(MAIN_DB)('what a guide forbids, on a database of kind %s', (kind) => {
  let folder: string
  let idChannel: number
  let sets: { document: TrackSet; startsAt: number }[]
  let count = 0
  const scene = testScene(kind, {
    actor: { packages: { television: {} } },
    settings: { OUTBOUND_ALLOW: ['127.0.0.1'] },
    prepared: async ({ service: { context } }) => {
      await ensurePackage(context.db, 'television', { fra: 'Télévision', eng: 'Television' }, 1000)
    },
  })
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ondine-guides-'))
  })
  beforeEach(async () => {
    const fields = { kind: 'live' as const, rules: null, timeshiftSeconds: 3600, inPackages: ['television'] }
    const rules = { kind: 'sequence', titles: ['x'] }
    idChannel = (await scene.make.channel(`Live ${++count}`, rules, { ...fields, guideId: `live${count}` }))
      .id
    scene.service.clock.set(NOON)
    sets = await broadcast()
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  async function broadcast() {
    const { db } = scene.service.context
    const segments = 5 * SEGMENTS_OF_A_MINUTE
    const all: typeof sets = []
    for (let position = 0; position < 24; position++) {
      const document = buildTrackSet({ seconds: 300, subtitles: [] })
      const startsAt = NOON - HOUR + position * 5 * MINUTE
      if (position === 0) await setLayout(db, idChannel, layoutOfChannel([document], 4), startsAt)
      const row = {
        channelId: idChannel,
        position,
        startsAt,
        joint: 'break',
        mediaSequence: position * segments,
        discontinuitySequence: position,
      } as const
      await db.transaction(async (tx) => await addSet(tx, row, document, Buffer.alloc(16, position + 1)))
      all.push({ document, startsAt })
    }
    return all
  }

  /** Ends the TrackSets, as a live input does. Only ended TrackSets are compared with the guide. */
  async function endSets(): Promise<void> {
    const { db } = scene.service.context
    for (const { document, startsAt } of sets)
      await db.transaction(
        async (tx) =>
          await endSet(tx, {
            channelId: idChannel,
            trackSetId: document.id,
            startsAt,
            endsAt: startsAt + 5 * MINUTE,
          }),
      )
  }

  async function announce(...entries: readonly Announced[]): Promise<void> {
    const path = join(folder, 'guide.xml')
    const shows = entries.map(([title, from, to, inside = '']) =>
      show(`live${count}`, from / 60, to / 60, `<title>${title}</title>${inside}`),
    )
    await writeFile(path, guideOf(shows.join('\n')))
    await runCommand(scene.service, 'guide import', [path], { name: 'guide' })
    await scene.service.context.connection.changes.settled()
  }

  const guide = async (id = idChannel) => {
    const input = { start: NOON / 1000 - 3600, offset: 0, hours: 3, channelIds: [id] }
    return (await scene.service.call(epg, input, scene.actor.tokens)).result[`chan_${id}`] ?? []
  }
  const at = (minutes: number) => scene.service.clock.set(NOON + minutes * MINUTE)
  const watch = async (start?: number, id = idChannel, format: 'hls' | 'dash' = 'hls') =>
    await scene.service.call(
      channelStream,
      { idChannel: id, format, ...(start !== undefined && { start: NOON / 1000 + start * 60 }) },
      scene.actor.tokens,
    )
  async function playlist(url: string, query = ''): Promise<types.MediaPlaylist> {
    const [base = ''] = url.split('main.m3u8')
    const master = hls.parse(
      (await scene.service.app.inject({ url: `${url}${query}` })).body,
    ) as types.MasterPlaylist
    const [name] = (master.variants[0]?.uri ?? '').split('?')
    const { body, statusCode } = await scene.service.app.inject({ url: `${base}${name}${query}` })
    expect(statusCode).toBe(200)
    return hls.parse(body) as types.MediaPlaylist
  }
  /** Returns the part of a channel that a playlist lists, in minutes from noon. */
  async function listed(url: string, query = ''): Promise<[from: number, to: number]> {
    const { segments } = await playlist(url, query)
    const first = segments[0]?.programDateTime?.getTime() ?? Number.NaN
    const seconds = segments.reduce((sum, { duration }) => sum + duration, 0)
    return [(first - NOON) / MINUTE, (first - NOON) / MINUTE + seconds / 60]
  }
  const keyOf = async (session: string, minutes: number) => {
    const { document } = sets.findLast(({ startsAt }) => startsAt <= NOON + minutes * MINUTE) as {
      document: TrackSet
    }
    return (await scene.service.app.inject({ url: `/play/${session}/key/${document.encryption?.keyId}` }))
      .statusCode
  }

  it.each([
    ['start-over', '<rights start-over="no"/>'],
    ['time-shift', '<rights time-shift="no"/>'],
    ['both', LIVE_ONLY],
  ])(
    'V3-24 the guide forbids %s: the manifests have the live edge only, and a start is refused',
    async (_what, rights) => {
      await announce(['Journal', -60, -20], ['Match', -20, 20, rights], ['Débat', 20, 60])
      expect(
        (await guide()).map(({ title, startoverEnabled, timeshiftEnabled, npvrEnabled }) => [
          title,
          startoverEnabled,
          timeshiftEnabled,
          npvrEnabled,
        ]),
      ).toEqual([
        ['Journal', true, true, true],
        ['Match', false, false, true],
        ['Débat', true, true, true],
      ])
      const { result } = await watch()
      expect(await listed(result.url)).toEqual([-1, 0])
      const dash = await watch(undefined, idChannel, 'dash')
      const { body } = await scene.service.app.inject({ url: dash.result.url })
      const { playlists } = parseDash(body, { manifestUri: 'http://x/manifest.mpd' })
      expect(playlists[0]?.segments?.length).toBe(SEGMENTS_OF_A_MINUTE)
      // No session can begin in this programme, or in an earlier one.
      for (const start of [-20, -10, -1, -30]) {
        const { error, status } = await watch(start)
        expect([start, error.code, status]).toEqual([start, -510, 403])
      }
    },
  )

  it('a session that began earlier loses the past when the programme begins, whatever it asks for', async () => {
    await announce(['Journal', -60, 0], ['Match', 0, 20, LIVE_ONLY], ['Débat', 20, 60])
    at(-5)
    const { result } = await watch(-50)
    expect(await listed(result.url)).toEqual([-60, -5])
    at(0.4)
    expect(await listed(result.url)).toEqual([-0.6, 0.4])
    at(15)
    expect(await listed(result.url)).toEqual([14, 15])
    for (const query of ['?start=0', '?keyformat=clearkey', `?_HLS_msn=1&t=${NOON / 1000}`])
      expect(await listed(result.url, query)).toEqual([14, 15])
    // Late players still get the key of the live edge. Older keys are refused.
    expect(await keyOf(result.session, 14)).toBe(200)
    expect(await keyOf(result.session, 4)).toBe(403)
    expect(await keyOf(result.session, -4)).toBe(403)
  })

  it('after the programme, the time-shift begins at its end, and the next programme can be started over', async () => {
    await announce(['Match', -60, -20, LIVE_ONLY], ['Débat', -20, 60])
    const { result } = await watch()
    expect(await listed(result.url)).toEqual([-20, 0])
    expect(await keyOf(result.session, -19)).toBe(200)
    expect(await keyOf(result.session, -24)).toBe(403)
    expect((await watch(-20)).error.code).toBe(0)
    expect((await watch(-21)).error.code).toBe(-510)
  })

  it('lists no segment that has a part of the programme, once it is behind the live edge', async () => {
    // The programme ends two seconds after the beginning of a segment.
    await announce(['Match', -60, -20 + 2 / 60, LIVE_ONLY], ['Débat', -20 + 2 / 60, 60])
    const [from, to] = await listed((await watch()).result.url)
    expect([Math.round(from * 60), Math.round(to)]).toEqual([-20 * 60 + 4, 0])
  })

  it('a guide that is corrected counts at once', async () => {
    const entries = (rights: string): Announced[] => [
      ['Journal', -60, -20],
      ['Match', -20, 20, rights],
    ]
    await announce(...entries(''))
    const { url } = (await watch()).result
    expect(await listed(url)).toEqual([-60, 0])
    await announce(...entries(LIVE_ONLY))
    expect(await listed(url)).toEqual([-1, 0])
    await announce(...entries('<rights start-over="yes" time-shift="maybe"/>'))
    expect(await listed(url)).toEqual([-60, 0])
  })

  it('a library channel has the live edge only as well', async () => {
    const { db, connection } = scene.service.context
    await scene.make.asset(`Film ${count}`, { trackSet: buildTrackSet({ seconds: 1800 }) })
    const { id } = await scene.make.channel(
      `Library ${count}`,
      { kind: 'sequence', titles: [`Film ${count}`] },
      { timeshiftSeconds: 3600, inPackages: ['television'] },
    )
    await extendSchedules(db, createTrackSetStore(db), NOON - HOUR)
    at(10)
    const [whole] = await listed((await watch(undefined, id)).result.url)
    expect(whole).toBeLessThan(-40)
    const now = (await guide(id)).find(({ endutc }) => endutc > NOON / 1000 + 600)
    await db
      .update(programmes)
      .set({ details: { timeShiftForbidden: true } })
      .where(eq(programmes.id, now?.id ?? 0))
    await connection.changes.settled()
    const { url } = (await watch(undefined, id)).result
    const [from, to] = await listed(url)
    expect(to - from).toBeLessThan(1.2)
    expect((await watch((now?.startutc ?? 0) / 60 - NOON / MINUTE, id)).error.code).toBe(-510)
  })

  describe('a relay', () => {
    let provider: Server
    let origin: string
    let answer = ''
    let idRelay: number
    beforeEach(async () => {
      provider = createServer((_request, response) => void response.end(answer))
      origin = await listenLocally(provider)
    })
    afterEach(() => void provider.close())

    /** Adds a channel that relays `answer`. @returns a function that reads its manifest */
    async function relay(manifest: 'hls' | 'dash', name: string): Promise<() => Promise<string>> {
      const source = { address: `${origin}/${name}`, manifest }
      const fields = { kind: 'relay' as const, rules: null, source, inPackages: ['television'] }
      idRelay = (await scene.make.channel(`Relay ${count}`, { kind: 'sequence', titles: ['x'] }, fields)).id
      const { url } = (await watch(undefined, idRelay)).result
      return async () => {
        scene.service.clock.advance(2000)
        return (await scene.service.app.inject({ url })).body
      }
    }

    /** Adds a programme to the guide of the relay. The guide forbids going back in it. */
    async function forbid(from: number, to: number): Promise<void> {
      const { db, connection } = scene.service.context
      await db.insert(programmes).values({
        channelId: idRelay,
        universalId: 'match',
        startsAt: NOON + from * MINUTE,
        endsAt: NOON + to * MINUTE,
        titles: { fra: 'Match' },
        details: { startOverForbidden: true },
      })
      await connection.changes.settled()
    }

    it('has the live edge only', async () => {
      const segments = Array.from({ length: 100 }, (_, index) => `#EXTINF:6,\nseg-${index}.ts`).join('\n')
      answer = `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:5\n${segments}\n`
      const body = await relay('hls', 'main.m3u8')
      const read = async () => hls.parse(await body()) as types.MediaPlaylist
      expect((await read()).segments).toHaveLength(100)
      await forbid(-1, 60)
      const { segments: kept, mediaSequenceBase } = await read()
      expect([kept.length, mediaSequenceBase]).toEqual([10, 95])
    })

    it('has the live edge only in DASH as well, and after the programme nothing of it', async () => {
      const began = new Date(NOON - 10 * MINUTE).toISOString()
      const timeline = '<SegmentTimeline><S t="0" d="6" r="99"/></SegmentTimeline>'
      const template = `<SegmentTemplate startNumber="5" initialization="i.mp4" media="seg-$Number$.m4s">${timeline}</SegmentTemplate>`
      answer = `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="dynamic" availabilityStartTime="${began}"><Period start="PT0S"><AdaptationSet mimeType="video/mp4"><Representation id="v" bandwidth="1" codecs="avc1.4D401E">${template}</Representation></AdaptationSet></Period></MPD>`
      const body = await relay('dash', 'main.mpd')
      const numbers = async () => {
        const { playlists } = parseDash(await body(), { manifestUri: 'http://x/manifest.mpd' })
        return (
          playlists[0]?.segments?.map(({ resolvedUri }) => Number(/seg-(\d+)/.exec(resolvedUri)?.[1])) ?? []
        )
      }
      const from = (first: number) => Array.from({ length: 105 - first }, (_, index) => first + index)
      expect(await numbers()).toEqual(from(5))
      await forbid(-10, 1)
      expect(await numbers()).toEqual(from(95))
      // The programme ended three minutes before this request.
      at(4 - 2 / 60)
      expect(await numbers()).toEqual(from(75))
    })
  })

  describe('recordings', () => {
    const record = async (title: string) => {
      const programme = (await guide()).find((each) => each.title === title)
      const wanted = { idEvent: programme?.id ?? 0, idChannel }
      return await scene.service.call(createRecording, wanted, scene.actor.tokens)
    }
    const play = async (id: number) =>
      await scene.service.call(playRecording, { id, x: 'start', format: 'hls' }, scene.actor.tokens)

    it('A7.3-13 have nothing of a neighbour whose recording is forbidden, also after the guide has forgotten it', async () => {
      const forbidden = '<rights recording="no"/>'
      await announce(['Avant', -60, -40, forbidden], ['Match', -40, -20], ['Après', -20, 20, forbidden])
      at(-39)
      const { id } = (await record('Match')).result
      at(1)
      await endSets()
      const before = (await play(id)).result
      expect(await listed(before.url)).toEqual([-40, -20])
      await scene.service.context.db.delete(programmes).where(eq(programmes.channelId, idChannel))
      expect(await listed((await play(id)).result.url)).toEqual([-40, -20])
    })

    it('A7.3-13 have nothing of a forbidden programme that the guide puts in the place of theirs', async () => {
      await announce(['Avant', -60, -40], ['Match', -40, -20], ['Après', -20, 20])
      at(-41)
      const { id } = (await record('Match')).result
      const forbidden = '<rights recording="no"/>'
      await announce(['Avant', -60, -40], ['Film', -40, -20, forbidden], ['Après', -20, 20])
      at(1)
      await endSets()
      expect((await play(id)).error.code).toBe(-1602)
      // The recording plays the part of its interval in which the guide now has a programme that may be recorded.
      await announce(
        ['Avant', -60, -40],
        ['Film', -40, -30, forbidden],
        ['Débat', -30, -20],
        ['Après', -20, 20],
      )
      await scene.service.context.db
        .update(liveSets)
        .set({ isRecordingForbidden: false })
        .where(eq(liveSets.channelId, idChannel))
      expect(await listed((await play(id)).result.url)).toEqual([-30, -15])
    })

    it('A7.3-13 that the guide withholds give no media until it allows them, also once they would run', async () => {
      await announce(['Avant', -60, 10], ['Match', 10, 20])
      const { id } = (await record('Match')).result
      at(9.5)
      await announce(['Avant', -60, 10], ['Match', 10, 20, '<rights recording="no"/>'])
      for (const minutes of [9.6, 12, 30]) {
        at(minutes)
        await scene.service.call(restoreRecording, { id }, scene.actor.tokens)
        expect([minutes, (await play(id)).error.code]).toEqual([minutes, -1602])
      }
      await announce(['Avant', -60, 10], ['Match', 10, 20])
      expect(await listed((await play(id)).result.url)).toEqual([9, 25])
    })

    describe('of a split programme', () => {
      const whole: Announced[] = [
        ['Film', -40, -20],
        ['Après', -20, 20],
      ]
      const split: Announced[] = [
        ['Film', -40, -30],
        ['Flash', -30, -25],
        ['Film', -25, -15],
        ['Après', -15, 20],
      ]
      async function recordSplit(minutes: number): Promise<number> {
        at(-45)
        await announce(...whole)
        const { id } = (await record('Film')).result
        await announce(...split)
        at(minutes)
        await endSets()
        return id
      }
      /** Returns the start of each segment, in minutes from noon. */
      function startsOf({ segments }: types.MediaPlaylist): number[] {
        let next = Number.NaN
        return segments.map(({ programDateTime, duration }) => {
          const start = programDateTime?.getTime() ?? next
          next = start + duration * SECOND
          return (start - NOON) / MINUTE
        })
      }

      it('A7.3-13 have nothing of what the guide shows between its parts', async () => {
        const id = await recordSplit(1)
        const { result } = await play(id)
        const starts = startsOf(await playlist(result.url))
        expect([starts[0], starts.at(-1)]).toEqual([-41, -10 - 4 / 60])
        expect(starts.filter((start) => start >= -30 && start < -25)).toEqual([])
        expect(starts).toHaveLength((11 + 15) * SEGMENTS_OF_A_MINUTE)
        expect([await keyOf(result.session, -29), await keyOf(result.session, -24)]).toEqual([403, 200])
        const dash = await scene.service.call(
          playRecording,
          { id, x: 'start', format: 'dash' },
          scene.actor.tokens,
        )
        const { body } = await scene.service.app.inject({ url: dash.result.url })
        const between = sets.find(({ startsAt }) => startsAt === NOON - 30 * MINUTE)
        expect(body).not.toContain(between?.document.id)
      })

      it('wait while they run, and go on with the next part', async () => {
        const id = await recordSplit(-27)
        const { url } = (await play(id)).result
        expect(await listed(url)).toEqual([-41, -30])
        at(-24)
        expect(startsOf(await playlist(url)).at(-1)).toBe(-24 - 4 / 60)
      })
    })

    it('have their margins where the guide forbids nothing', async () => {
      await announce(['Avant', -60, -40], ['Match', -40, -20], ['Après', -20, 20])
      at(-39)
      const { id } = (await record('Match')).result
      at(1)
      await endSets()
      expect(await listed((await play(id)).result.url)).toEqual([-41, -15])
    })

    it('of a programme that is live only can be played once it is over', async () => {
      await announce(['Match', -10, 20, LIVE_ONLY], ['Débat', 20, 60])
      const { error, result } = await record('Match')
      expect(error.code).toBe(0)
      expect((await play(result.id)).error.code).toBe(-510)
      at(30)
      expect((await play(result.id)).error.code).toBe(0)
    })
  })
})

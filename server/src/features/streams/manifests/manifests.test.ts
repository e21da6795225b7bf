import { channelStream, readAsset, readTrailer } from '@ondine/contract/playback'
import type { types } from 'hls-parser'
import * as hls from 'hls-parser'
import { parse as parseDash } from 'mpd-parser'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Actor, buildersOf, buildTrackSet } from '../../../../test/builders.ts'
import { MAIN_DB, NOON, startTestService, type TestService } from '../../../../test/service.ts'
import { createTrackSetStore } from '../../inventory/track-sets/track-sets.service.ts'
import { extendSchedules } from '../../television/schedule/extend-schedules.ts'
import { createChannelAir } from '../on-air/on-air.service.ts'
import { type ChannelWindow, createSession } from '../play-sessions/play-sessions.service.ts'

const MINUTE = 60_000

describe.each(MAIN_DB)('manifests, on a database of kind %s', (kind) => {
  let service: TestService
  let make: ReturnType<typeof buildersOf>
  let actor: Actor
  let film: Awaited<ReturnType<typeof make.asset>>

  beforeAll(async () => {
    service = await startTestService(kind)
    make = buildersOf(service.context)
    actor = await make.actor({ packages: { cinema: {}, channels: {} } })
    film = await make.asset('La Houle', {
      trackSet: buildTrackSet({ seconds: 63 }),
      inPackages: ['cinema'],
      trailer: buildTrackSet({ seconds: 21, encrypted: false, subtitles: [] }),
    })
  })
  afterAll(async () => await service.remove())

  const get = async (url: string) => await service.app.inject({ url })

  async function read(format: 'dash' | 'hls') {
    const input = { idAsset: film.id, idAudioLang: 'fra', idSubtitleLang: 'non', format } as const
    return (await service.call(readAsset, input, actor.tokens)).result
  }

  async function multivariant(url: string): Promise<types.MasterPlaylist> {
    const answer = await get(url)
    expect(answer.statusCode).toBe(200)
    return hls.parse(answer.body) as types.MasterPlaylist
  }

  async function mediaPlaylist(base: string, uri: string): Promise<types.MediaPlaylist> {
    const answer = await get(new URL(uri, `http://x${base}`).pathname)
    expect(answer.statusCode).toBe(200)
    return hls.parse(answer.body) as types.MediaPlaylist
  }

  function dash(body: string, url: string) {
    return parseDash(body, { manifestUri: `http://x${url}` })
  }

  describe('of a film', () => {
    it('are valid DASH: every rendition, its key and its addresses', async () => {
      const { url } = await read('dash')
      const answer = await get(url)
      expect(answer.headers).toMatchObject({
        'content-type': 'application/dash+xml',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
      })
      const parsed = dash(answer.body, url)
      expect(parsed.duration).toBe(63)
      expect(parsed.playlists.map(({ attributes }) => attributes.RESOLUTION?.height)).toEqual([360, 720])
      const [playlist] = parsed.playlists
      expect(playlist?.segments).toHaveLength(16)
      expect(playlist?.segments?.[15]?.resolvedUri).toBe(`http://x/media/${film.trackSet?.id}/v360/16.m4s`)
      expect(Object.keys(parsed.mediaGroups.AUDIO.audio ?? {})).toHaveLength(2)
      expect(Object.keys(parsed.mediaGroups.SUBTITLES.subs ?? {})).toHaveLength(2)
      expect(answer.body).not.toMatch(/laurl/i)
      expect(answer.body.replaceAll('-', '')).toContain(film.trackSet?.encryption?.keyId)
    })

    it('are valid HLS, with relative addresses throughout', async () => {
      const { url } = await read('hls')
      const answer = await get(url)
      expect(answer.headers['content-type']).toBe('application/vnd.apple.mpegurl')
      expect(answer.body).not.toContain('/play/')
      const master = await multivariant(url)
      expect(master.variants).toHaveLength(2)
      const playlists = [
        ...master.variants.map(({ uri }) => uri),
        ...(master.variants[0]?.audio ?? []).flatMap(({ uri }) => uri ?? []),
        ...(master.variants[0]?.subtitles ?? []).flatMap(({ uri }) => uri ?? []),
      ]
      expect(playlists).toHaveLength(6)
      for (const uri of playlists) {
        const playlist = await mediaPlaylist(url, uri)
        expect(playlist).toMatchObject({ endlist: true, playlistType: 'VOD', mediaSequenceBase: 0 })
        expect(playlist.segments.reduce((sum, segment) => sum + segment.duration, 0)).toBeCloseTo(63, 1)
      }
      const video = await mediaPlaylist(url, master.variants[0]?.uri ?? '')
      const key = video.segments[0]?.key
      expect(key).toMatchObject({ method: 'SAMPLE-AES', format: 'identity' })
      // The address in the playlist returns the key, in the same session.
      const answerOfKey = await get(new URL(key?.uri ?? '', `http://x${url}`).pathname)
      expect(answerOfKey.rawPayload).toEqual(film.key)
    })

    it('of HLS name keys for EME if a client requests it, in all of its playlists', async () => {
      const { url } = await read('hls')
      const asked = await get(`${url}?keyformat=clearkey`)
      const master = hls.parse(asked.body) as types.MasterPlaylist
      const uris = [...asked.body.matchAll(/^(?!#).+$|URI="([^"]+)"/gm)].map(([line, uri]) => uri ?? line)
      expect(uris).toHaveLength(6)
      for (const uri of uris) expect(uri).toMatch(/^[\w-]+\.m3u8\?keyformat=clearkey$/)
      const { pathname, search } = new URL(master.variants[0]?.uri ?? '', `http://x${url}`)
      const playlist = (await get(pathname + search)).body
      const keyId = film.trackSet?.encryption?.keyId
      expect(playlist).toContain(
        `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="key/${keyId}",KEYID=0x${keyId},KEYFORMAT="org.w3.clearkey",KEYFORMATVERSIONS="1"`,
      )
      expect(playlist).not.toContain('identity')
    })

    it.each(['laurl=2', 'laurl=1&laurl=1', 'keyformat=fairplay', 'keyformat=', 'laurl=true'])(
      'refuse the query ?%s',
      async (query) => {
        const { session } = await read('dash')
        for (const file of ['manifest.mpd', 'main.m3u8', 'v720.m3u8']) {
          const answer = await get(`/play/${session}/${file}?${query}`)
          expect([answer.statusCode, answer.json().error.code]).toEqual([400, -400])
        }
      },
    )

    it('ignore other queries of players', async () => {
      const { session } = await read('dash')
      for (const file of ['manifest.mpd', 'main.m3u8', 'v720.m3u8']) {
        const [plain, asked] = [
          await get(`/play/${session}/${file}`),
          await get(`/play/${session}/${file}?CMCD=ot%3Dm%2Csf%3Dd&laurl=0&keyformat=identity`),
        ]
        expect([asked.statusCode, asked.body]).toEqual([200, plain.body])
      }
    })

    it('of a trailer are clear', async () => {
      const trailer = async (format: 'dash' | 'hls') =>
        (await service.call(readTrailer, { idMedia: film.trailerMediaId, format })).result.url
      const mpd = await get(await trailer('dash'))
      expect(mpd.statusCode).toBe(200)
      expect(mpd.body).not.toContain('ContentProtection')
      const url = await trailer('hls')
      const playlist = await mediaPlaylist(url, (await multivariant(url)).variants[0]?.uri ?? '')
      expect(playlist.segments[0]?.key?.method ?? 'NONE').toBe('NONE')
    })

    it('exist under no other names, and not without the token', async () => {
      const { url, session } = await read('hls')
      for (const file of [
        'master.m3u8',
        'v999.m3u8',
        'thumbnails.m3u8',
        'manifest.mpd.bak',
        '.m3u8',
        '__proto__.m3u8',
        '..%2f..%2fetc%2fpasswd',
      ]) {
        expect((await get(`/play/${session}/${file}`)).statusCode).toBe(404)
      }
      const [head, claims, tail = ''] = session.split('.')
      const flipped = tail.startsWith('A') ? `B${tail.slice(1)}` : `A${tail.slice(1)}`
      for (const bad of [`${head}.${claims}.${flipped}`, 'x', actor.tokens['x-auth-token'] ?? '']) {
        const answer = await get(`/play/${bad}/manifest.mpd`)
        expect([answer.statusCode, answer.json().error.code]).toEqual([401, -1])
      }
      service.clock.advance(13 * 60 * MINUTE)
      expect((await get(url)).statusCode).toBe(401)
      service.clock.set(NOON)
    })

    it('need no database once the TrackSet is known', async () => {
      const { url } = await read('dash')
      await get(url)
      let asked = 0
      const { db } = service.context
      const select = db.select.bind(db)
      Object.defineProperty(db, 'select', {
        configurable: true,
        get: () => {
          asked++
          return select
        },
      })
      expect((await get(url)).statusCode).toBe(200)
      Reflect.deleteProperty(db, 'select')
      expect(asked).toBe(0)
    })
  })

  describe('of a channel', () => {
    let channelId: number
    const titles = ['One', 'Two', 'Three']

    beforeAll(async () => {
      for (const [index, title] of titles.entries()) {
        await make.asset(title, {
          trackSet: buildTrackSet({ seconds: 61 + index }),
          moralityLevel: title === 'Two' ? 4 : 0,
        })
      }
      channelId = (await make.channel('Rive', { kind: 'sequence', titles }, { inPackages: ['channels'] })).id
      await extendSchedules(service.context.db, createTrackSetStore(service.context.db), NOON)
    })

    const stream = async (format: 'dash' | 'hls', who: Actor | null = actor) =>
      await service.call(channelStream, { idChannel: channelId, format }, who?.tokens ?? {})

    it.each<[who: string, options: Parameters<typeof make.actor>[0] | null, code: number]>([
      ['a visitor', null, -1],
      ['a subscriber', { packages: { channels: {} } }, 0],
      ['an account without the channel', { packages: { cinema: {} } }, -1721],
      ['a suspended subscriber', { status: 'SUSPENDED', packages: { channels: {} } }, -2409],
      [
        'a child below the level of the programme',
        { packages: { channels: {} }, profile: { kid: true, maximumMoralityLevel: 2 } },
        -404,
      ],
      [
        'an adult below that level',
        { packages: { channels: {} }, profile: { maximumMoralityLevel: 2 } },
        -1612,
      ],
    ])('V3-18 V7-23 exist for %s', async (_who, options, code) => {
      const { status, error } = await stream('dash', options && (await make.actor(options)))
      expect([error.code, status === 200]).toEqual([code, code === 0])
    })

    it('report an unknown channel, and a channel with nothing on air', async () => {
      const unknown = await service.call(channelStream, { idChannel: 999_999, format: 'dash' }, actor.tokens)
      expect(unknown.error.code).toBe(-10)
      const silent = await make.channel('Silent', { kind: 'sequence', titles: ['Nothing'] })
      const nothing = await service.call(
        channelStream,
        { idChannel: silent.id, format: 'dash' },
        actor.tokens,
      )
      expect(nothing.error.code).toBe(-1602)
    })

    it('advance second by second across programmes, and no number ever decreases', async () => {
      const { url } = (await stream('hls')).result
      const master = await multivariant(url)
      const uris = [master.variants[0]?.uri ?? '', master.variants[0]?.audio[1]?.uri ?? '']
      const seen = new Map<number, string>()
      let before: types.MediaPlaylist | undefined
      for (let second = 0; second < 200; second++) {
        service.clock.set(NOON + second * 1000)
        const [video, audio] = await Promise.all(uris.map(async (uri) => await mediaPlaylist(url, uri)))
        if (!video || !audio) throw new Error('There is no playlist.')
        expect(audio.mediaSequenceBase).toBe(video.mediaSequenceBase)
        expect(audio.discontinuitySequenceBase).toBe(video.discontinuitySequenceBase)
        expect(audio.segments).toHaveLength(video.segments.length)
        expect(video.mediaSequenceBase ?? 0).toBeGreaterThanOrEqual(before?.mediaSequenceBase ?? 0)
        expect(video.discontinuitySequenceBase ?? 0).toBeGreaterThanOrEqual(
          before?.discontinuitySequenceBase ?? 0,
        )
        expect(video.targetDuration).toBe(before?.targetDuration ?? video.targetDuration)
        for (const [index, segment] of video.segments.entries()) {
          const number = (video.mediaSequenceBase ?? 0) + index
          expect(seen.get(number) ?? segment.uri).toBe(segment.uri)
          seen.set(number, segment.uri)
        }
        before = video
      }
      // Three programmes of one minute each were broadcast meanwhile.
      expect(new Set([...seen.values()].map((uri) => uri.split('/')[2])).size).toBe(3)
      service.clock.set(NOON)
    })

    it('are the same bytes for all viewers between two segments, except for their tokens', async () => {
      const a = (await stream('dash')).result.url
      const b = (await stream('dash', await make.actor({ packages: { channels: {} } }))).result.url
      expect(a).not.toBe(b)
      service.clock.set(NOON + 10_000)
      const first = await get(a)
      service.clock.set(NOON + 10_900)
      const second = await get(b)
      const without = (body: string, url: string) => body.replaceAll(url.split('/')[2] ?? '', '')
      expect(without(second.body, b)).toBe(without(first.body, a))
      const parsed = dash(first.body, a)
      expect(parsed.playlists[0]?.endList).toBe(false)
      expect(first.body).toContain('availabilityStartTime="1970-01-01T00:00:00Z"')
      service.clock.set(NOON)
    })

    it('of a start-over grow from the programme’s beginning to its end, and those of a recording are complete', async () => {
      const { entries } = (await createChannelAir(
        service.context.db,
        createTrackSetStore(service.context.db),
        service.context.connection.changes,
      ).at(channelId, { kind: 'live' }, NOON)) ?? { entries: [] }
      const programme = entries.find(({ startsAt }) => startsAt > NOON)
      if (!programme) throw new Error('The channel has no next programme.')
      const { startsAt: from, endsAt: to } = programme
      const session = (window: ChannelWindow) =>
        createSession(service.context.keys, {
          viewer: { accountId: actor.account.id, profileId: actor.profileId },
          content: { kind: 'channel', channelId, window },
        })
      const startOver = `/play/${session({ kind: 'start-over', from, to })}/main.m3u8`
      const playlistAt = async (now: number, url: string) => {
        service.clock.set(now)
        return await mediaPlaylist(url, (await multivariant(url)).variants[0]?.uri ?? '')
      }
      const early = await playlistAt(from + 20_500, startOver)
      const later = await playlistAt(from + 40_500, startOver)
      expect(early).toMatchObject({ endlist: false, playlistType: 'EVENT' })
      expect(later.segments.slice(0, early.segments.length).map(({ uri }) => uri)).toEqual(
        early.segments.map(({ uri }) => uri),
      )
      const over = await playlistAt(to + 5 * MINUTE, startOver)
      expect(over).toMatchObject({ endlist: true, playlistType: 'EVENT' })

      const recording = `/play/${session({ kind: 'closed', from, to })}/main.m3u8`
      const recorded = await playlistAt(to + 60 * MINUTE, recording)
      expect(recorded).toMatchObject({ endlist: true, playlistType: 'VOD' })
      expect(recorded.segments.map(({ uri }) => uri)).toEqual(over.segments.map(({ uri }) => uri))
      service.clock.set(NOON)
    })

    it('offer the tracks of a later title from its first programme on, also to a viewer who is watching', async () => {
      const { db } = service.context
      const extend = async (now: number) => await extendSchedules(db, createTrackSetStore(db), now)
      await make.asset('Plain', {
        trackSet: buildTrackSet({ heights: [360], audio: ['fra'], subtitles: [] }),
      })
      const rules = { kind: 'sequence', titles: ['Plain', 'Full'] }
      const { id } = await make.channel('Later', rules, { inPackages: ['channels'] })
      await extend(NOON)
      const input = { idChannel: id, format: 'hls' } as const
      const { url } = (await service.call(channelStream, input, actor.tokens)).result
      const tracksAt = async (now: number) => {
        service.clock.set(now)
        return [...(await get(url)).body.matchAll(/([\w-]+)\.m3u8/g)].map(([, slot]) => slot)
      }
      expect(await tracksAt(NOON)).toEqual(['a-fra', 'v360'])
      await make.asset('Full', { trackSet: buildTrackSet() })
      await extend(NOON + MINUTE)
      const onAir = await createChannelAir(
        db,
        createTrackSetStore(db),
        service.context.connection.changes,
      ).at(id, { kind: 'live' }, NOON)
      const [growth = 0] = onAir?.timeline.layout.slots.flatMap(({ offeredFrom }) => offeredFrom ?? []) ?? []
      expect(growth).toBeGreaterThan(NOON)
      expect(await tracksAt(growth + 3999)).toEqual(['a-fra', 'v360'])
      const later = await tracksAt(growth + 4000)
      expect(later).toEqual(['a-fra', 'a-eng', 't-fra', 't-eng', 'v360', 'v720'])
      const playlists = await Promise.all(
        ['v360', 'v720', 'a-eng', 't-eng'].map(async (slot) => await mediaPlaylist(url, `${slot}.m3u8`)),
      )
      expect(new Set(playlists.map(({ mediaSequenceBase }) => mediaSequenceBase)).size).toBe(1)
      expect(new Set(playlists.map(({ segments }) => segments.length)).size).toBe(1)
      service.clock.set(NOON)
    })

    it('use no memory once nobody watches', async () => {
      const { db, connection } = service.context
      const air = createChannelAir(db, createTrackSetStore(db), connection.changes)
      await air.at(channelId, { kind: 'live' }, NOON)
      expect(air.size).toBe(1)
      air.sweep(NOON + MINUTE)
      expect(air.size).toBe(1)
      air.sweep(NOON + 5 * MINUTE)
      expect(air.size).toBe(0)
    })

    it('continue for two days without reading past entries again', async () => {
      const { db, connection } = service.context
      const store = createTrackSetStore(db)
      const air = createChannelAir(db, store, connection.changes)
      for (let hour = 0; hour < 48; hour++) {
        const now = NOON + hour * 60 * MINUTE
        const onAir = await air.at(channelId, { kind: 'live' }, now)
        const entry = onAir?.entries.find(({ startsAt, endsAt }) => startsAt <= now && endsAt > now)
        expect(entry).toBeDefined()
        expect(onAir?.entries.length).toBeLessThan(60)
      }
    })
  })

  it('the service returns its time', async () => {
    const answer = await get('/time')
    expect(answer.body).toBe('2026-01-15T12:00:00.000Z')
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'access-control-allow-origin': '*' })
  })

  it('a text slot without text returns an empty file', async () => {
    const answer = await get('/media/empty.vtt')
    expect([answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
      200,
      'text/vtt; charset=utf-8',
      'WEBVTT\n\n',
    ])
  })
})

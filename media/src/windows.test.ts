import * as HLS from 'hls-parser'
import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS, readDash, readHls } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { hlsMedia, hlsMultivariant, hlsThumbnails } from './hls.ts'
import { layoutOfChannel } from './layout.ts'
import { appendSpan, createSpan, createTimeline, filmTimeline, type Span, type SpanPlan } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import {
  closedWindow,
  growingWindow,
  segmentStart,
  slidingWindow,
  type Window,
  wholeWindow,
  windowStart,
} from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
const TRACK_SETS = [aTrackSet({ number: 1 }), aTrackSet({ number: 2, segments: 5, lastFrames: 50 })]
const LAYOUT = layoutOfChannel(TRACK_SETS)
const plans: SpanPlan[] = []
for (let index = 0; index < 40; index++) {
  const last = plans.at(-1)
  plans.push(appendSpan(last ? createSpan(LAYOUT, last) : null, TRACK_SETS[index % 2]!, { startsAt: START }))
}
const CHANNEL = createTimeline(LAYOUT, plans)

describe('a live window with a part that may only be watched live', () => {
  const FROM = START + 200_000
  const TO = START + 401_300

  /** Returns the start, end and first segment number of the window `seconds` after the channel's start. */
  function at(seconds: number) {
    const now = START + seconds * 1000
    const liveUntil = now < FROM ? 0 : Math.min(now, TO)
    const window = slidingWindow(CHANNEL, now, { seconds: 3600, liveUntil }) as Window
    const { firstSpan, firstSegment, publishedAt } = window
    const first = CHANNEL.spans[firstSpan]!
    const sequence = first.mediaSequence + firstSegment
    return { from: segmentStart(first, firstSegment), publishedAt, sequence }
  }

  it('loses the past when that part begins, keeps a minute while it lasts, and then grows from its end', () => {
    expect(at(199)).toMatchObject({ from: START, sequence: 0 })
    let before = at(199)
    for (let seconds = 200; seconds < 700; seconds += 0.5) {
      const { from, publishedAt, sequence } = at(seconds)
      const age = publishedAt - from
      // The window must contain the live edge, and all segments after the part that is only for live viewing.
      expect(age).toBeGreaterThanOrEqual(Math.min(60_000, publishedAt - START))
      expect(age).toBeLessThan(Math.max(60_000, publishedAt - TO) + 4001)
      if (publishedAt - TO > 60_000) expect(from).toBeGreaterThanOrEqual(TO)
      expect(sequence).toBeGreaterThanOrEqual(before.sequence)
      before = { from, publishedAt, sequence }
    }
    expect(before.from - TO).toBeLessThan(4001)
  })

  it('never has less than a player needs, also at the beginning of a channel', () => {
    const window = slidingWindow(CHANNEL, START + 10_000, { liveUntil: START + 10_000 })
    expect(window).toMatchObject({ firstSpan: 0, firstSegment: 0 })
  })
})

describe('a live window after media that the viewer may not see', () => {
  /** Returns the start of the window in seconds after the channel's start; null without a window. */
  function beginsAt(timeline: typeof CHANNEL, seconds: number, since: number): number | null {
    const window = slidingWindow(timeline, START + seconds * 1000, { seconds: 3600, since: START + since })
    return window && (windowStart(window) - START) / 1000
  }
  const [first, second] = CHANNEL.spans as [Span, Span]
  const since = second.startsAt - START

  it('exists as soon as the first segment after that media is published', () => {
    expect(beginsAt(CHANNEL, 59, since)).toBeNull()
    expect(beginsAt(CHANNEL, 60, since)).toBeNull()
    expect(beginsAt(CHANNEL, 63.9, since)).toBeNull()
    for (const seconds of [64, 70, 500]) expect(beginsAt(CHANNEL, seconds, since)).toBe(60)
  })

  it('begins after a gap that follows that media', () => {
    const gap = createTimeline(LAYOUT, [
      { ...appendSpan(null, first.trackSet), startsAt: START },
      { ...appendSpan(first, second.trackSet), startsAt: second.startsAt + 30_000, joint: 'gap' },
    ])
    expect(beginsAt(gap, 80, since)).toBeNull()
    expect(beginsAt(gap, 93.9, since)).toBeNull()
    for (const seconds of [94, 98, 130]) expect(beginsAt(gap, seconds, since)).toBe(90)
    // The window may also begin within the gap, because of its duration.
    const now = START + 98_000
    const window = slidingWindow(gap, now, { seconds: 20, since: START + since }) as Window
    expect(windowStart(window) - START).toBe(90_000)
  })
})

describe('a film', () => {
  const film = wholeWindow(filmTimeline(TRACK_SETS[1]!))

  it('is VOD from 0 to its end in HLS', () => {
    const playlist = readHls(film, 'v720')
    expect(playlist).toMatchObject({ playlistType: 'VOD', endlist: true, mediaSequenceBase: 0 })
    expect(playlist.segments.map(({ uri }) => uri.split('/').at(-1))).toEqual([
      '1.m4s',
      '2.m4s',
      '3.m4s',
      '4.m4s',
      '5.m4s',
    ])
    expect(playlist.segments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(18.0833, 3)
    expect(playlist.segments[0]?.key).toMatchObject({ method: 'SAMPLE-AES', format: 'identity' })
    expect(readHls(film, 't-fra').segments[0]).toMatchObject({ key: null, map: null })
  })

  it('lists each of its renditions', () => {
    const playlist = HLS.parse(hlsMultivariant(film)) as HLS.types.MasterPlaylist
    expect(playlist.variants.map(({ resolution }) => resolution?.height)).toEqual([360, 720])
    expect(playlist.variants[0]).toMatchObject({
      codecs: 'avc1.64001f,mp4a.40.2',
      bandwidth: 360 * 4000 + 140_000,
    })
    expect(playlist.variants[0]?.audio.map(({ language, isDefault }) => [language, isDefault])).toEqual([
      ['fr', true],
      ['en', false],
    ])
    expect(playlist.variants[0]?.subtitles.map(({ language }) => language)).toEqual(['fr', 'en'])
  })

  it('is static in DASH, with numbered segments from 0', () => {
    const manifest = readDash(film)
    expect(manifest).toMatchObject({ endList: true, duration: 18.084 })
    expect(manifest.playlists.map(({ segments }) => segments.length)).toEqual([5, 5])
    expect(manifest.playlists[0]?.segments[4]?.resolvedUri).toBe(
      `https://ondine.test/media/${TRACK_SETS[1]!.id}/v360/5.m4s`,
    )
    expect(dashManifest(film, OPTIONS)).not.toMatch(/laurl/i)
    const licenceUrl = 'https://ondine.test/play/token/licence'
    const named = dashManifest(film, { ...OPTIONS, licenceUrl })
    expect([
      ...named.matchAll(/<dashif:(Laurl|laurl) Lic_type="EME-1.0">([^<]*)<\/dashif:\1>/g),
    ]).toHaveLength(6)
    expect(named.split(licenceUrl)).toHaveLength(7)
  })

  it('has its thumbnails in both', () => {
    // RESOLUTION must be the size of one picture: players multiply it by the tile's columns and rows.
    expect(hlsMultivariant(film)).toContain('RESOLUTION=160x90,CODECS="jpeg",URI="thumbnails.m3u8"')
    const thumbnails = hlsThumbnails(film, OPTIONS) ?? ''
    expect(thumbnails).toContain('#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=5x5,DURATION=4')
    expect(thumbnails).toContain(`/media/${TRACK_SETS[1]!.id}/thumbnails/1.jpg`)
    expect(dashManifest(film, OPTIONS)).toContain('value="5x5"')
    expect(hlsThumbnails(slidingWindow(CHANNEL, START + 60_000) as Window, OPTIONS)).toBeNull()
  })

  it('in clear has neither keys nor protection', () => {
    const trailer = wholeWindow(filmTimeline(aTrackSet({ number: 9, clear: true })))
    expect(dashManifest(trailer, OPTIONS)).not.toContain('ContentProtection')
    expect(hlsMedia(trailer, 'v360', OPTIONS)).not.toContain('SAMPLE-AES')
  })

  it('has no playlist for an unknown slot', () => {
    expect(hlsMedia(film, 'v2160', OPTIONS)).toBeNull()
  })

  it('shows all of a sound that is longer than the picture', () => {
    const long = aTrackSet({ number: 10, segments: 3 })
    const audio = long.renditions.find(({ kind }) => kind === 'audio')!
    audio.segments.push([1024, 1])
    const window = wholeWindow(filmTimeline(long))
    expect(readHls(window, 'a-fra').segments).toHaveLength(4)
    expect(readHls(window, 'v360').segments).toHaveLength(3)
  })

  it('gives two tracks of the same name different names', () => {
    const labelled = aTrackSet({ number: 13 })
    for (const rendition of labelled.renditions)
      if (rendition.kind === 'audio') rendition.label = 'Commentary'
    const playlist = hlsMultivariant(wholeWindow(filmTimeline(labelled)))
    const names = [...playlist.matchAll(/TYPE=AUDIO.*NAME="([^"]+)"/g)].map(([, name]) => name)
    expect(names).toEqual(['Commentary (a-fra)', 'Commentary (a-eng)'])
  })

  it('marks commentaries and descriptions, so that no player chooses them by itself', () => {
    const set = aTrackSet({ number: 16, audio: ['fra', 'eng', 'deu'], text: [] })
    const additions = { eng: 'commentary', deu: 'description' } as const
    for (const rendition of set.renditions)
      if (rendition.kind === 'audio' && rendition.language !== 'fra')
        rendition.addition = additions[rendition.language === 'eng' ? 'eng' : 'deu']
    const window = wholeWindow(filmTimeline(set))
    const lines = hlsMultivariant(window)
      .split('\n')
      .filter((line) => line.includes('TYPE=AUDIO'))
    expect(lines).toEqual([
      expect.stringContaining(',DEFAULT=YES,AUTOSELECT=YES,CHANNELS='),
      expect.stringContaining(',DEFAULT=NO,AUTOSELECT=NO,CHANNELS='),
      expect.stringContaining(
        'AUTOSELECT=YES,CHARACTERISTICS="public.accessibility.describes-video",CHANNELS=',
      ),
    ])
    const groups = readDash(window).mediaGroups.AUDIO.audio
    expect(Object.keys(groups ?? {})).toEqual(['fr (main)', 'en (commentary)', 'de (alternate)'])
    const accessibility = '<Accessibility schemeIdUri="urn:mpeg:dash:role:2011" value="description"/>'
    expect(dashManifest(window, OPTIONS).split(accessibility)).toHaveLength(2)
  })

  it('states the peak rate of its segments, because players choose a variant by that rate', () => {
    expect(dashManifest(film, OPTIONS)).toMatch(
      /<Representation id="v720" codecs="[^"]+" bandwidth="2880000"/,
    )
    expect(dashManifest(film, OPTIONS)).toMatch(
      /<Representation id="a-fra" codecs="[^"]+" bandwidth="140000"/,
    )
  })

  it('without picture is radio: one variant, its languages beside it', () => {
    const radio = wholeWindow(filmTimeline(aTrackSet({ number: 14, heights: [], text: [] })))
    const playlist = HLS.parse(hlsMultivariant(radio)) as HLS.types.MasterPlaylist
    expect(playlist.variants.map(({ uri, codecs }) => [uri, codecs])).toEqual([['a-fra.m3u8', 'mp4a.40.2']])
    expect(playlist.variants[0]?.audio.map(({ uri }) => uri)).toEqual(['a-fra.m3u8', 'a-eng.m3u8'])
    expect(readDash(radio).mediaGroups.AUDIO.audio).toHaveProperty('fr (main)')
    const one = wholeWindow(filmTimeline(aTrackSet({ number: 15, heights: [], audio: ['fra'], text: [] })))
    expect(hlsMultivariant(one)).not.toContain('EXT-X-MEDIA:')
  })

  it('without sound has only its picture', () => {
    const silent = wholeWindow(filmTimeline(aTrackSet({ number: 16, audio: [], text: [] })))
    const playlist = HLS.parse(hlsMultivariant(silent)) as HLS.types.MasterPlaylist
    expect(playlist.variants.map(({ codecs, audio }) => [codecs, audio.length])).toEqual([
      ['avc1.64001f', 0],
      ['avc1.64001f', 0],
    ])
  })

  it('with a break shows each part once', () => {
    const [long, brief] = TRACK_SETS as [TrackSet, TrackSet]
    const before = appendSpan(null, long, { segmentCount: 6 })
    const spot = appendSpan(createSpan(LAYOUT, before), brief)
    const after = appendSpan(createSpan(LAYOUT, spot), long, { firstSegment: 6 })
    const window = wholeWindow(createTimeline(LAYOUT, [before, spot, after]))
    for (const slot of ['v360', 'a-fra', 't-fra']) {
      const { segments } = readHls(window, slot)
      expect(segments.map(({ uri }) => Number(/(\d+)\.\w+$/.exec(uri)?.[1]))).toEqual([
        1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15,
      ])
      expect(segments[6]).toMatchObject({ discontinuity: true, programDateTime: new Date(24_000) })
    }
    expect(readDash(window)).toMatchObject({ endList: true, duration: 78.084 })
  })

  it('escapes text from outside', () => {
    const labelled = aTrackSet({ number: 11, audio: ['fra', 'fra2'] })
    for (const rendition of labelled.renditions) {
      if (rendition.kind === 'audio') rendition.label = 'Dit "l’<ami>" & co\n#EXT-X-ENDLIST\u0000\uD800'
    }
    const window = wholeWindow(filmTimeline(labelled))
    expect(hlsMultivariant(window)).not.toMatch(/^#EXT-X-ENDLIST/m)
    expect(dashManifest(window, OPTIONS)).toContain('&lt;ami&gt;&quot; &amp; co #EXT-X-ENDLIST \uFFFD')
    expect(hlsMultivariant(window)).toContain("co'#EXT-X-ENDLIST'\uFFFD")
  })
})

describe('start-over', () => {
  const from = CHANNEL.spans[2]!.startsAt
  const until = CHANNEL.spans[4]!.startsAt

  it('has a fixed beginning, grows, and ends with its programme', () => {
    let before: string[] = []
    for (let now = from + 4000; now <= until + 20_000; now += 1000) {
      const window = growingWindow(CHANNEL, from, now, until) as Window
      const playlist = readHls(window, 'v360')
      expect(playlist).toMatchObject({
        playlistType: 'EVENT',
        mediaSequenceBase: 20,
        discontinuitySequenceBase: 2,
      })
      const uris = playlist.segments.map(({ uri }) => uri)
      expect(uris.slice(0, before.length)).toEqual(before)
      expect(playlist.endlist).toBe(now >= until)
      before = uris
    }
    expect(before).toHaveLength(20)
  })

  it.each([0, 5000])(
    'in DASH has the times of the recording while it grows, begun %d ms after its Span',
    (ms) => {
      const recording = dashSegments(
        dashManifest(closedWindow(CHANNEL, from + ms, until) as Window, OPTIONS),
      ).segments
      for (let now = from + 12_000; now < until; now += 4000) {
        const manifest = dashManifest(growingWindow(CHANNEL, from + ms, now, until) as Window, OPTIONS)
        const { segments } = dashSegments(manifest)
        expect(segments.length).toBeLessThan(recording.length)
        for (const segment of segments) expect(recording).toContainEqual(segment)
        const [first] = segments
        const zero = new Date(from + (ms === 0 ? 0 : 4000)).toISOString().replace('.000Z', 'Z')
        expect(first?.startsAt).toBe(0)
        expect(manifest).toContain(`availabilityStartTime="${zero}"`)
      }
    },
  )

  it('once ended equals the recording, byte for byte in DASH', () => {
    const ended = dashManifest(growingWindow(CHANNEL, from, until + 1, until) as Window, OPTIONS)
    expect(ended).toBe(dashManifest(closedWindow(CHANNEL, from, until) as Window, OPTIONS))
    expect(ended).toContain('type="static"')
  })

  it('tells players to begin at the beginning', () => {
    const window = growingWindow(CHANNEL, from, from + 30_000, until) as Window
    expect(readHls(window, 'a-fra').start).toMatchObject({ offset: 0 })
  })

  it('includes the segments that contain its two ends', () => {
    const window = growingWindow(CHANNEL, from + 5000, until, from + 13_000) as Window
    expect(readHls(window, 'v360').segments.map(({ uri }) => uri.split('/').at(-1))).toEqual([
      '2.m4s',
      '3.m4s',
      '4.m4s',
    ])
  })

  it('is missing before its first segment, before the Timeline, and for reversed windows', () => {
    expect(growingWindow(CHANNEL, from, from + 3999, until)).toBeNull()
    expect(growingWindow(CHANNEL, START - 1, from, until)).toBeNull()
    expect(growingWindow(CHANNEL, until, until + 10_000, from)).toBeNull()
  })
})

describe('a recording', () => {
  const from = CHANNEL.spans[2]!.startsAt
  const to = CHANNEL.spans[4]!.startsAt

  it('is VOD, with the segments of the channel, from 0', () => {
    const window = closedWindow(CHANNEL, from, to) as Window
    const playlist = readHls(window, 'a-fra')
    expect(playlist).toMatchObject({ playlistType: 'VOD', endlist: true })
    expect(playlist.segments).toHaveLength(20)
    const manifest = readDash(window)
    expect(manifest).toMatchObject({ endList: true, duration: 78.084 })
    const { periods, segments } = dashSegments(dashManifest(window, OPTIONS))
    expect([...periods]).toEqual([
      [`2.${CHANNEL.spans[2]!.mediaSequence}`, '0'],
      [`3.${CHANNEL.spans[3]!.mediaSequence}`, '60'],
    ])
    expect(segments.filter(({ representation }) => representation === 'v360').at(0)).toMatchObject({
      number: 1,
      startsAt: 0,
    })
  })

  it('that begins in the middle of a Span keeps the offset between sound and picture', () => {
    const window = closedWindow(CHANNEL, from + 5000, to) as Window
    const { segments } = dashSegments(dashManifest(window, OPTIONS))
    const startOf = (id: string) => segments.find(({ representation }) => representation === id)?.startsAt
    // The second segment of sound begins 512 samples of 1/48,000 s after the second segment of the picture.
    expect(startOf('v360')).toBe(0)
    expect(startOf('a-fra')).toBeCloseTo(10.667, 2)
    const dateOf = (id: string) => readHls(window, id).segments[0]?.programDateTime?.getTime()
    expect((dateOf('a-fra') ?? 0) - (dateOf('v360') ?? 0)).toBe(11)
  })

  it('plays the renditions that the plan of each Span chooses', () => {
    const [first, second] = plans as [SpanPlan, SpanPlan]
    const dubbed = createTimeline(LAYOUT, [
      { ...first, renditions: { 'a-fra': 'a-eng' } },
      second,
      { ...plans[2]!, renditions: { 'a-fra': 'a-fra' } },
    ])
    const window = closedWindow(dubbed, START, dubbed.spans[2]!.endsAt) as Window
    for (const written of [dashManifest(window, OPTIONS), dashManifest(window, OPTIONS)]) {
      const sound = [...written.matchAll(/id="a-fra".*?initialization="[^"]*\/([^"/]+)\/init.mp4"/g)]
      expect(sound.map(([, rendition]) => rendition)).toEqual(['a-eng', 'a-fra', 'a-fra'])
    }
    const maps = readHls(window, 'a-fra').segments.flatMap(({ map }) =>
      map ? [map.uri?.split('/').at(-2)] : [],
    )
    expect([...new Set(maps)]).toEqual(['a-eng', 'a-fra'])
  })

  it('that begins in the middle of a Span still begins at 0', () => {
    const window = closedWindow(CHANNEL, from + 9000, to) as Window
    const { periods, segments } = dashSegments(dashManifest(window, OPTIONS))
    expect([...periods]).toEqual([
      [`2.${CHANNEL.spans[2]!.mediaSequence}`, '0'],
      [`3.${CHANNEL.spans[3]!.mediaSequence}`, '52'],
    ])
    expect(segments[0]).toMatchObject({ number: 3, startsAt: 0 })
  })

  it('is missing when the Timeline contains only a part of it', () => {
    expect(closedWindow(CHANNEL, START - 1000, to)).toBeNull()
    expect(closedWindow(CHANNEL, from, CHANNEL.spans.at(-1)!.endsAt + 1)).toBeNull()
    expect(closedWindow(CHANNEL, to, from)).toBeNull()
  })
})

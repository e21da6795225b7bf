import * as HLS from 'hls-parser'
import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS, readDash, readHls } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { hlsMedia, hlsMultivariant, hlsThumbnails } from './hls.ts'
import { layoutOfChannel } from './layout.ts'
import { appendSpan, createSpan, createTimeline, filmTimeline, type SpanPlan } from './timeline.ts'
import { closedWindow, growingWindow, slidingWindow, type Window, wholeWindow } from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
const SHELF = [aTrackSet({ number: 1 }), aTrackSet({ number: 2, segments: 5, lastFrames: 50 })]
const LAYOUT = layoutOfChannel(SHELF)
const plans: SpanPlan[] = []
for (let index = 0; index < 40; index++) {
  const last = plans.at(-1)
  plans.push(appendSpan(last ? createSpan(LAYOUT, last) : null, SHELF[index % 2]!, { startsAt: START }))
}
const CHANNEL = createTimeline(LAYOUT, plans)

describe('a film', () => {
  const film = wholeWindow(filmTimeline(SHELF[1]!))

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

  it('offers each of its renditions', () => {
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

  it('is static in DASH, with an absolute order of its segments', () => {
    const manifest = readDash(film)
    expect(manifest).toMatchObject({ endList: true, duration: 18.084 })
    expect(manifest.playlists.map(({ segments }) => segments.length)).toEqual([5, 5])
    expect(manifest.playlists[0]?.segments[4]?.resolvedUri).toBe(
      `https://ondine.test/media/${SHELF[1]!.id}/v360/5.m4s`,
    )
    expect(dashManifest(film, OPTIONS)).toMatch(
      /<dashif:Laurl[^>]*>licence<\/dashif:Laurl><dashif:laurl[^>]*>licence</,
    )
  })

  it('has its thumbnails in both', () => {
    const thumbnails = hlsThumbnails(film, OPTIONS) ?? ''
    expect(thumbnails).toContain('#EXT-X-TILES:RESOLUTION=160x90,LAYOUT=5x5,DURATION=4')
    expect(thumbnails).toContain(`/media/${SHELF[1]!.id}/thumbnails/1.jpg`)
    expect(dashManifest(film, OPTIONS)).toContain('value="5x5"')
    expect(hlsThumbnails(slidingWindow(CHANNEL, START + 60_000) as Window, OPTIONS)).toBeNull()
  })

  it('in clear has neither keys nor protection', () => {
    const trailer = wholeWindow(filmTimeline(aTrackSet({ number: 9, clear: true })))
    expect(dashManifest(trailer, OPTIONS)).not.toContain('ContentProtection')
    expect(hlsMedia(trailer, 'v360', OPTIONS)).not.toContain('SAMPLE-AES')
  })

  it('has no playlist for a slot that is not there', () => {
    expect(hlsMedia(film, 'v2160', OPTIONS)).toBeNull()
  })

  it('shows all of a sound that goes on longer than the picture', () => {
    const long = aTrackSet({ number: 10, segments: 3 })
    const audio = long.renditions.find(({ kind }) => kind === 'audio')!
    audio.segments.push([1024, 1])
    const window = wholeWindow(filmTimeline(long))
    expect(readHls(window, 'a-fra').segments).toHaveLength(4)
    expect(readHls(window, 'v360').segments).toHaveLength(3)
  })

  it('escapes what comes from outside', () => {
    const labelled = aTrackSet({ number: 11, audio: ['fra', 'fra2'] })
    for (const rendition of labelled.renditions) {
      if (rendition.kind === 'audio') rendition.label = 'Dit "l’<ami>" & co\n#EXT-X-ENDLIST'
    }
    const window = wholeWindow(filmTimeline(labelled))
    expect(hlsMultivariant(window)).not.toMatch(/^#EXT-X-ENDLIST/m)
    expect(dashManifest(window, OPTIONS)).toContain('&lt;ami>&quot; &amp; co')
  })
})

describe('start-over', () => {
  const from = CHANNEL.spans[2]!.startsAt
  const until = CHANNEL.spans[4]!.startsAt

  it('begins where it began, grows, and ends with its programme', () => {
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

  it('in DASH grows on the clock of the channel, and says when it is over', () => {
    const live = dashSegments(
      dashManifest(slidingWindow(CHANNEL, from + 30_000, { seconds: 20 }) as Window, OPTIONS),
    )
    const over = dashSegments(
      dashManifest(growingWindow(CHANNEL, from, from + 30_000, until) as Window, OPTIONS),
    )
    expect(over.periods.get('2')).toBe(live.periods.get('2'))
    for (const segment of live.segments)
      if (segment.period === '2') expect(over.segments).toContainEqual(segment)
    const ended = dashManifest(growingWindow(CHANNEL, from, until + 1, until) as Window, OPTIONS)
    expect(ended).toContain('mediaPresentationDuration')
    expect(ended).not.toContain('minimumUpdatePeriod')
  })

  it('is cut at segments, in which its ends lie', () => {
    const window = growingWindow(CHANNEL, from + 5000, until, from + 13_000) as Window
    expect(readHls(window, 'v360').segments.map(({ uri }) => uri.split('/').at(-1))).toEqual([
      '2.m4s',
      '3.m4s',
      '4.m4s',
    ])
  })

  it('is not there before its first segment, before the Timeline, and for windows turned round', () => {
    expect(growingWindow(CHANNEL, from, from + 3999, until)).toBeNull()
    expect(growingWindow(CHANNEL, START - 1, from, until)).toBeNull()
    expect(growingWindow(CHANNEL, until, until + 10_000, from)).toBeNull()
  })
})

describe('a recording', () => {
  const from = CHANNEL.spans[2]!.startsAt
  const to = CHANNEL.spans[4]!.startsAt

  it('is VOD, on the segments of the channel, from 0', () => {
    const window = closedWindow(CHANNEL, from, to) as Window
    const playlist = readHls(window, 'a-fra')
    expect(playlist).toMatchObject({ playlistType: 'VOD', endlist: true })
    expect(playlist.segments).toHaveLength(20)
    const manifest = readDash(window)
    expect(manifest).toMatchObject({ endList: true, duration: 78.084 })
    const { periods, segments } = dashSegments(dashManifest(window, OPTIONS))
    expect([...periods]).toEqual([
      ['2', '0'],
      ['3', '60'],
    ])
    expect(segments.filter(({ representation }) => representation === 'v360').at(0)).toMatchObject({
      number: 1,
      startsAt: 0,
    })
  })

  it('that begins in the middle of a Span begins at 0 all the same', () => {
    const window = closedWindow(CHANNEL, from + 9000, to) as Window
    const { periods, segments } = dashSegments(dashManifest(window, OPTIONS))
    expect([...periods]).toEqual([
      ['2', '0'],
      ['3', '52'],
    ])
    expect(segments[0]).toMatchObject({ number: 3, startsAt: 0 })
  })

  it('is not there when the Timeline does not hold it whole', () => {
    expect(closedWindow(CHANNEL, START - 1000, to)).toBeNull()
    expect(closedWindow(CHANNEL, from, CHANNEL.spans.at(-1)!.endsAt + 1)).toBeNull()
    expect(closedWindow(CHANNEL, to, from)).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS, readHls } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { hlsMedia } from './hls.ts'
import { layoutOfChannel } from './layout.ts'
import { appendSpan, createSpan, createTimeline, type Joint, type Timeline } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { slidingWindow, type Window } from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
/** Decode time of the first TrackSet in seconds, as of a source that has run for a day. */
const DAY = 86_400

/** Sets the decode time of a TrackSet's first segment. */
function runningOn(trackSet: TrackSet, seconds: number): TrackSet {
  for (const rendition of trackSet.renditions) rendition.startTicks = seconds * rendition.timescale
  return trackSet
}

const FIRST = runningOn(aTrackSet({ number: 1, segments: 3 }), DAY)
const SECOND = runningOn(aTrackSet({ number: 2, segments: 3 }), DAY + 12)
const THIRD = aTrackSet({ number: 3, segments: 2 })
const LAYOUT = layoutOfChannel([FIRST])

/**
 * Returns a Timeline of consecutive TrackSets. `later` is the length of a gap before the TrackSet, in
 * milliseconds.
 */
function live(parts: readonly { trackSet: TrackSet; joint: Joint; later?: number }[]): Timeline {
  const plans = []
  let before = null
  for (const { trackSet, joint, later = 0 } of parts) {
    const next = appendSpan(before, trackSet, { startsAt: START })
    const discontinuitySequence: number = next.discontinuitySequence - (joint === 'continuous' ? 1 : 0)
    const plan = { ...next, joint, discontinuitySequence, startsAt: next.startsAt + later }
    plans.push(plan)
    before = createSpan(LAYOUT, plan)
  }
  return createTimeline(LAYOUT, plans)
}

function windowAt(timeline: Timeline, seconds: number): Window {
  const window = slidingWindow(timeline, START + seconds * 1000)
  if (!window) throw new Error('nothing is on the air')
  return window
}

describe('a live input', () => {
  const continued = live([
    { trackSet: FIRST, joint: 'break' },
    { trackSet: SECOND, joint: 'continuous' },
  ])

  it('goes on in the next TrackSet without a discontinuity in HLS', () => {
    const playlist = readHls(windowAt(continued, 24), 'v720')
    expect(playlist.segments.map(({ uri }) => uri.split('/').slice(2).join('/'))).toEqual([
      ...[1, 2, 3].map((number) => `${FIRST.id}/v720/${number}.m4s`),
      ...[1, 2, 3].map((number) => `${SECOND.id}/v720/${number}.m4s`),
    ])
    expect(playlist.segments.some(({ discontinuity }) => discontinuity)).toBe(false)
    // Each TrackSet has a separate header and may have a separate key.
    expect(playlist.segments[3]?.map?.uri).toBe(`/media/${SECOND.id}/v720/init.mp4`)
    expect(playlist.segments[3]?.key?.uri).toBe(`key/${SECOND.encryption?.keyId}`)
  })

  it('keeps the count of discontinuities when its first TrackSet has left the window', () => {
    const timeline = live([
      { trackSet: THIRD, joint: 'break' },
      { trackSet: FIRST, joint: 'break' },
      { trackSet: SECOND, joint: 'continuous' },
    ])
    const window = slidingWindow(timeline, START + 32_000, { seconds: 12 })
    expect(window && hlsMedia(window, 'v720', OPTIONS)).toContain(
      '#EXT-X-MEDIA-SEQUENCE:5\n#EXT-X-DISCONTINUITY-SEQUENCE:1\n',
    )
  })

  it('has Periods in DASH whose media times run on', () => {
    const manifest = dashManifest(windowAt(continued, 24), OPTIONS)
    const { periods, segments } = dashSegments(manifest)
    expect([...periods.keys()]).toEqual(['0.0', '0.3'])
    const video = segments.filter(({ representation }) => representation === 'v720')
    expect(video.map(({ startsAt }) => startsAt - START)).toEqual([0, 4000, 8000, 12_000, 16_000, 20_000])
    // The offsets must be equal, so that a player maps the decode times of both Periods to one timeline.
    const offsets = [...manifest.matchAll(/Representation id="v720".*?presentationTimeOffset="(\d+)"/gs)]
    const added = offsets.map(([, offset], index) => 12 * index - Number(offset) / 12_288)
    expect(added).toEqual([-DAY, -DAY])
  })

  it('keeps sound at its distance from the picture, whatever the decode times', () => {
    const late = aTrackSet({ number: 4, segments: 3 })
    for (const rendition of late.renditions)
      rendition.startTicks = Math.round((rendition.kind === 'audio' ? 500.1 : 500) * rendition.timescale)
    const { segments } = dashSegments(
      dashManifest(windowAt(live([{ trackSet: late, joint: 'break' }]), 12), OPTIONS),
    )
    const startOf = (id: string) =>
      segments.find(({ representation }) => representation === id)?.startsAt ?? 0
    expect(startOf('a-fra') - startOf('v720')).toBeCloseTo(100, 3)
  })

  it('announces a discontinuity after a gap, and keeps what came before it', () => {
    const timeline = live([
      { trackSet: FIRST, joint: 'break' },
      { trackSet: THIRD, joint: 'gap', later: 7000 },
    ])
    const playlist = readHls(windowAt(timeline, 27), 'v720')
    expect(playlist.segments.map(({ discontinuity = false }) => discontinuity)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ])
    expect(playlist.segments[3]?.programDateTime?.getTime()).toBe(START + 19_000)
    // During the gap, the window must end with the last segment before the gap.
    expect(readHls(windowAt(timeline, 18), 'v720').segments).toHaveLength(3)
  })

  it.each([
    [
      'a continuous Span that counts a discontinuity',
      { joint: 'continuous' as const, discontinuitySequence: 1 },
    ],
    ['a break that counts none', { joint: 'break' as const, discontinuitySequence: 0 }],
    ['a break after a gap', { joint: 'break' as const, startsAt: START + 13_000 }],
    [
      'a continuous Span after a gap',
      { joint: 'continuous' as const, discontinuitySequence: 0, startsAt: START + 13_000 },
    ],
    ['a gap that overlaps', { joint: 'gap' as const, startsAt: START + 11_000 }],
  ])('refuses %s', (_what, change) => {
    const first = appendSpan(null, FIRST, { startsAt: START })
    const second = { ...appendSpan(createSpan(LAYOUT, first), SECOND), ...change }
    expect(() => createTimeline(LAYOUT, [first, second])).toThrow(/span/)
  })

  it('refuses decode times that are no whole numbers', () => {
    const broken = runningOn(aTrackSet({ number: 9, segments: 1 }), 0.3)
    expect(() => layoutOfChannel([broken])).toThrow(/impossible number/)
  })
})

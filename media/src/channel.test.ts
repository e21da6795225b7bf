import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS, readDash, readHls } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { hlsMedia } from './hls.ts'
import { layoutOfChannel } from './layout.ts'
import { appendSpan, createSpan, createTimeline, type SpanPlan, type Timeline } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { slidingWindow, type Window } from './window.ts'

/**
 * TrackSets of unusual lengths: one segment, or a last segment of one frame. Their heights and languages differ
 * too.
 */
const TRACK_SETS = [
  aTrackSet({ number: 1, segments: 4 }),
  aTrackSet({ number: 2, segments: 1, lastFrames: 30 }),
  aTrackSet({ number: 3, segments: 7, lastFrames: 1, audio: ['eng'], text: [] }),
  aTrackSet({ number: 4, segments: 5, lastFrames: 50, heights: [360] }),
  aTrackSet({ number: 5, segments: 12, clear: true }),
  aTrackSet({ number: 6, segments: 20, lastFrames: 95, heights: [1080] }),
]
const LAYOUT = layoutOfChannel(TRACK_SETS)
const WINDOW = { seconds: 30 }

function schedule(trackSets: readonly TrackSet[], startsAt: number): Timeline {
  const plans: SpanPlan[] = []
  for (const trackSet of trackSets) {
    const last = plans.at(-1)
    plans.push(appendSpan(last ? createSpan(LAYOUT, last) : null, trackSet, { startsAt }))
  }
  return createTimeline(LAYOUT, plans)
}

/** Follows a channel like a player. Compares every manifest with all earlier manifests. */
class Watcher {
  readonly #numbers = new Map<string, string>()
  readonly #periods = new Map<string, string>()
  readonly #times = new Map<string, string>()
  readonly #dates = new Map<string, number>()
  #mediaSequence = 0
  #discontinuitySequence = 0

  watch(window: Window): void {
    const sequences = new Set<string>()
    for (const { id } of LAYOUT.slots) {
      const playlist = readHls(window, id)
      const first = playlist.mediaSequenceBase ?? 0
      sequences.add(`${first}/${playlist.discontinuitySequenceBase ?? 0}/${playlist.segments.length}`)
      expect(playlist.targetDuration).toBe(LAYOUT.targetDurationSeconds)
      let discontinuity = playlist.discontinuitySequenceBase ?? 0
      let date = Number.NaN
      for (const [index, segment] of playlist.segments.entries()) {
        if (index > 0 && segment.discontinuity) discontinuity++
        // A media sequence number must always name the same segment. The segment must keep its discontinuity
        // number.
        same(this.#numbers, `${id} ${first + index}`, `${segment.uri} ${segment.duration} ${discontinuity}`)
        if (segment.programDateTime) date = segment.programDateTime.getTime()
        this.#sameDate(`${id} ${first + index}`, date)
        date += segment.duration * 1000
      }
      const longest = Math.max(...playlist.segments.map(({ duration }) => Math.round(duration)))
      expect(longest).toBeLessThanOrEqual(LAYOUT.targetDurationSeconds)
    }
    // The playlists of all renditions must begin with the same segment and discontinuity numbers, and have as many
    // segments.
    expect([...sequences]).toHaveLength(1)
    const [media = 0, discontinuity = 0] = ([...sequences][0] ?? '').split('/').map(Number)
    expect(media).toBeGreaterThanOrEqual(this.#mediaSequence)
    expect(discontinuity).toBeGreaterThanOrEqual(this.#discontinuitySequence)
    this.#mediaSequence = media
    this.#discontinuitySequence = discontinuity

    const { periods, segments } = dashSegments(dashManifest(window, OPTIONS))
    for (const [period, start] of periods) same(this.#periods, period, start)
    for (const { representation, period, number, startsAt } of segments) {
      same(this.#times, `${representation} ${period} ${number}`, startsAt.toFixed(3))
    }
    // All Representations of a Period must have the same number of segments.
    for (const period of periods.keys()) {
      const counts = LAYOUT.slots.map(
        ({ id }) =>
          segments.filter((segment) => segment.period === period && segment.representation === id).length,
      )
      expect(new Set(counts).size).toBe(1)
    }
  }

  /**
   * Checks that a segment has the same date in every manifest. The tolerance allows for rounding: dates are in whole
   * milliseconds, durations in microseconds.
   */
  #sameDate(key: string, date: number): void {
    const before = this.#dates.get(key)
    if (before === undefined) this.#dates.set(key, date)
    if (!(Math.abs(date - (before ?? date)) < 1.1)) expect(date, key).toBe(before)
  }
}

/**
 * Checks that `key` has the same value in every manifest. Calls `expect` only for a difference, because a call for
 * every segment of every manifest would take most of the test's time.
 */
function same(known: Map<string, string>, key: string, value: string): void {
  const before = known.get(key)
  if (before === undefined) known.set(key, value)
  else if (before !== value) expect(value, key).toBe(before)
}

function slide(timeline: Timeline, from: number, seconds: number): void {
  const watcher = new Watcher()
  for (let now = from; now <= from + seconds * 1000; now += 1000) {
    const window = slidingWindow(timeline, now, WINDOW)
    if (window) watcher.watch(window)
  }
}

describe('a channel', () => {
  it('keeps every number and time while its window slides, for any schedule', () => {
    const schedules = fc.array(fc.constantFrom(...TRACK_SETS), { minLength: 3, maxLength: 10 })
    fc.assert(
      fc.property(schedules, fc.integer({ min: 0, max: 4_000_000_000 }), (trackSets, offset) => {
        const start = 1_700_000_000_000 + offset
        slide(schedule(trackSets, start), start, 60)
      }),
      { numRuns: 25 },
    )
  }, 60_000)

  it.each([
    ['midnight', Date.UTC(2026, 0, 15, 22, 59, 0)],
    ['the new year', Date.UTC(2026, 11, 31, 23, 59, 0)],
    ['the hour that a daylight-saving day leaves out', Date.UTC(2026, 2, 29, 0, 59, 0)],
    ['the hour that a daylight-saving day has twice', Date.UTC(2026, 9, 25, 0, 59, 0)],
  ])('slides over %s as over any other time', (_name, start) => {
    slide(schedule([...TRACK_SETS, ...TRACK_SETS], start), start, 150)
  })

  it('publishes a segment once its end has passed, not before', () => {
    const start = Date.UTC(2026, 0, 15)
    const timeline = schedule(TRACK_SETS, start)
    expect(slidingWindow(timeline, start + 3999)).toBeNull()
    expect(newest(timeline, start + 4000)).toBe(0)
    expect(newest(timeline, start + 7999)).toBe(0)
    expect(newest(timeline, start + 8000)).toBe(1)
    // The second Span is one segment of 30 frames (1.25 s), and begins at 16 s.
    expect(newest(timeline, start + 17_249)).toBe(3)
    expect(newest(timeline, start + 17_250)).toBe(4)
  })

  function newest(timeline: Timeline, now: number): number {
    const window = slidingWindow(timeline, now)
    if (!window) throw new Error('nothing is published')
    const playlist = readHls(window, 'v360')
    return (playlist.mediaSequenceBase ?? 0) + playlist.segments.length - 1
  }

  it('returns equal bytes for equal windows, and changes only when a segment is added', () => {
    const start = Date.UTC(2026, 0, 15)
    const timeline = schedule(TRACK_SETS, start)
    let before: { end: string; bytes: string } | undefined
    for (let now = start + 4000; now < start + 120_000; now += 250) {
      const window = slidingWindow(timeline, now, WINDOW) as Window
      const bytes =
        dashManifest(window, OPTIONS) + LAYOUT.slots.map(({ id }) => hlsMedia(window, id, OPTIONS)).join('')
      const end = `${window.lastSpan}/${window.endSegment}`
      if (before?.end === end) expect(bytes).toBe(before.bytes)
      else expect(bytes).not.toBe(before?.bytes)
      before = { end, bytes }
    }
  })

  it('is unaffected by edits of the schedule beyond the published edge', () => {
    const start = Date.UTC(2026, 0, 15)
    const [a, b, c, d] = TRACK_SETS as [TrackSet, TrackSet, TrackSet, TrackSet]
    const planned = schedule([a, b, c, c], start)
    const edited = schedule([a, b, d, a, a], start)
    const watcher = new Watcher()
    for (let now = start + 4000; now < start + 40_000; now += 1000) {
      // The third Span begins at 17.25 s. Up to that time, the edit must not change the manifest.
      const window = slidingWindow(now < start + 17_250 ? planned : edited, now, WINDOW) as Window
      if (now < start + 17_250) {
        expect(dashManifest(slidingWindow(edited, now, WINDOW) as Window, OPTIONS)).toBe(
          dashManifest(window, OPTIONS),
        )
      }
      watcher.watch(window)
    }
  })

  it('is the same whether it is made from a part of its Timeline or from the whole', () => {
    const start = Date.UTC(2026, 0, 15)
    const all = schedule([...TRACK_SETS, ...TRACK_SETS], start)
    const plans = all.spans.map(
      ({ trackSet, startsAt, firstSegment, segmentCount, mediaSequence, discontinuitySequence }) => ({
        trackSet,
        startsAt,
        firstSegment,
        segmentCount,
        mediaSequence,
        discontinuitySequence,
      }),
    )
    const piece = createTimeline(LAYOUT, plans.slice(4, 8))
    const now = (piece.spans[2]?.startsAt ?? 0) + 10_000
    expect(dashManifest(slidingWindow(piece, now) as Window, OPTIONS)).toBe(
      dashManifest(slidingWindow(all, now) as Window, OPTIONS),
    )
  })

  it('has MAP and KEY at the head of the window and again after each DISCONTINUITY', () => {
    const start = Date.UTC(2026, 0, 15)
    const timeline = schedule([TRACK_SETS[0]!, TRACK_SETS[4]!, TRACK_SETS[3]!], start)
    const playlist =
      hlsMedia(slidingWindow(timeline, start + 80_000, { seconds: 75 }) as Window, 'v360', OPTIONS) ?? ''
    const [, ...stretches] = playlist.split(/#EXT-X-(?:DISCONTINUITY-SEQUENCE:\d+|DISCONTINUITY)\n/)
    expect(stretches).toHaveLength(3)
    for (const stretch of stretches) {
      expect(stretch).toMatch(
        /^#EXT-X-PROGRAM-DATE-TIME:.*\n#EXT-X-KEY:METHOD=(SAMPLE-AES,URI="key\/a{31}\w",KEYFORMAT="identity"|NONE)\n#EXT-X-MAP:URI="\/media\/0{31}\w\/v360\/init.mp4"\n#EXTINF/,
      )
    }
    expect(stretches[1]).toContain('METHOD=NONE')
  })

  it('is read by mpd-parser as live, with its protection and its clock', () => {
    const start = Date.UTC(2026, 0, 15)
    const window = slidingWindow(schedule(TRACK_SETS, start), start + 60_000, WINDOW) as Window
    const manifest = readDash(window)
    expect(manifest).toMatchObject({ duration: 0, minimumUpdatePeriod: 2000 })
    expect(dashManifest(window, OPTIONS)).toContain(
      '<UTCTiming schemeIdUri="urn:mpeg:dash:utc:http-iso:2014" value="/time"/>',
    )
    expect(dashManifest(window, OPTIONS)).toContain('availabilityStartTime="1970-01-01T00:00:00Z"')
    expect(Object.keys(manifest.mediaGroups.AUDIO.audio ?? {}).length).toBeGreaterThan(1)
  })

  it('has no window before its beginning and after its end', () => {
    const start = Date.UTC(2026, 0, 15)
    const timeline = schedule([TRACK_SETS[0]!], start)
    expect(slidingWindow(timeline, start - 1)).toBeNull()
    expect(slidingWindow(timeline, start + 16_000 + 61_000)).toBeNull()
  })
})

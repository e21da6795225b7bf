import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { dashSegments, OPTIONS, readHls } from '../test/read-back.ts'
import { dashManifest } from './dash.ts'
import { layoutOfChannel } from './layout.ts'
import { type BreakNumbers, type ReplacedBreak, segmentFrom, withFillers } from './replaced-breaks.ts'
import { appendSpan, createSpan, createTimeline, type Timeline } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { slidingWindow, type Window } from './window.ts'

const START = Date.UTC(2026, 0, 15, 20)
const SEGMENT = 4000
/** Two TrackSets of a minute each. The second one continues the first one. */
const CHANNEL = [1, 2].map((number) => aTrackSet({ number, segments: 15 }))
for (const rendition of CHANNEL[1]?.renditions ?? []) rendition.startTicks = 60 * rendition.timescale
const SPOT = aTrackSet({ number: 3, segments: 3, heights: [720] })
/** A spot of 10 s, which ends between two segments of the channel. */
const SHORT = aTrackSet({ number: 4, segments: 3, lastFrames: 48 })
const OTHER = aTrackSet({ number: 5, segments: 3 })
const LAYOUT = layoutOfChannel(CHANNEL)

/** Returns the channel after a number of segments. */
function channelWith(segments: number, from: 0 | 1 = 0): Timeline {
  const plans = []
  let before = null
  for (const [index, trackSet] of CHANNEL.entries()) {
    const segmentCount = Math.min(15, segments - index * 15)
    if (segmentCount <= 0) break
    const next = appendSpan(before, trackSet, { startsAt: START, segmentCount })
    const plan = { ...next, discontinuitySequence: 0, joint: index === 0 ? 'break' : 'continuous' } as const
    plans.push(plan)
    before = createSpan(LAYOUT, plan)
  }
  return createTimeline(LAYOUT, plans.slice(from))
}

function fillerOf(trackSet: TrackSet) {
  return { trackSet, event: { schemeIdUri: 'urn:test', durationMs: 12_000, data: 'eyJhIjoxfQ==' } }
}

function breakAt(
  segment: number,
  seconds: number,
  trackSets: readonly TrackSet[],
  numbers?: BreakNumbers,
): ReplacedBreak {
  const startsAt = START + segment * SEGMENT
  return { startsAt, endsAt: startsAt + seconds * 1000, fillers: trackSets.map(fillerOf), numbers }
}

function windowAt(timeline: Timeline, now: number): Window {
  const window = slidingWindow(timeline, now, { seconds: 60 })
  if (!window) throw new Error('nothing is on the air')
  return window
}

/** Returns for each Span: the TrackSet, the first segment, the number of segments, the start and the end in seconds. */
function played({ spans }: Timeline) {
  return spans.map(({ trackSet, firstSegment, segmentCount, startsAt, endsAt }) => [
    Number.parseInt(trackSet.id, 16),
    firstSegment,
    segmentCount,
    (startsAt - START) / 1000,
    (endsAt - START) / 1000,
  ])
}

describe('a channel whose breaks are replaced', () => {
  it('plays the fillers in the break, and is back at the same time as the channel', () => {
    const { timeline } = withFillers(channelWith(15), [breakAt(5, 24, [SPOT, SPOT])])
    expect(played(timeline)).toEqual([
      [1, 0, 5, 0, 20],
      [3, 0, 3, 20, 32],
      [3, 0, 3, 32, 44],
      [1, 11, 4, 44, 60],
    ])
  })

  it('shows the rest of a break, from the next segment of the channel on', () => {
    const { timeline } = withFillers(channelWith(15), [breakAt(5, 24, [SHORT])])
    expect(played(timeline)).toEqual([
      [1, 0, 5, 0, 20],
      [4, 0, 3, 20, 30],
      [1, 8, 7, 32, 60],
    ])
    expect(timeline.spans.map(({ joint }) => joint)).toEqual(['break', 'break', 'gap'])
  })

  it.each([
    ['at a segment of the channel', 8, [20, 28], [28, 60]],
    ['between two segments', 10, [20, 28], [28, 60]],
  ])('ends a filler with a break that ends %s', (_, seconds, filler, channel) => {
    const { timeline } = withFillers(channelWith(15), [breakAt(5, seconds, [SPOT, SPOT])])
    expect(played(timeline).map(([, , , from, to]) => [from, to])).toEqual([[0, 20], filler, channel])
  })

  it('never shows a filler further than the channel has come, and nothing twice', () => {
    const seen = new Map<number, string>()
    for (let segments = 1; segments <= 30; segments++) {
      const channel = channelWith(segments)
      const end = channel.spans.at(-1)?.endsAt ?? 0
      const { timeline } = withFillers(channel, [breakAt(5, 24, [SPOT, SHORT]), breakAt(20, 12, [SPOT])])
      const { segments: listed } = dashSegments(dashManifest(windowAt(timeline, end), OPTIONS))
      for (const { representation, number, startsAt, durationMs, period } of listed) {
        if (representation !== 'v720') continue
        const name = `${period} ${number}`
        // A segment must stay the same once a manifest has listed it.
        expect(seen.get(startsAt) ?? name).toBe(name)
        seen.set(startsAt, name)
        expect(startsAt + Math.min(durationMs, 2000)).toBeLessThanOrEqual(end)
      }
    }
  })

  it('counts on when the media before a break, and then the break, have left', () => {
    const known: BreakNumbers[] = []
    const sequences = new Map<string, number>()
    for (const from of [0, 1] as const) {
      for (let segments = from === 0 ? 15 : 16; segments <= 30; segments++) {
        const breaks = [breakAt(5, 12, [SHORT], known[0]), breakAt(14, 24, [SPOT, OTHER], known[1])]
        const { timeline, numbers } = withFillers(channelWith(segments, from), breaks)
        known.splice(0, 2, ...numbers)
        const window = windowAt(timeline, START + segments * SEGMENT)
        const { segments: listed, mediaSequenceBase = 0 } = readHls(window, 'v720')
        for (const [index, { uri }] of listed.entries()) {
          const sequence = mediaSequenceBase + index
          expect(sequences.get(uri) ?? sequence).toBe(sequence)
          sequences.set(uri, sequence)
        }
      }
    }
    expect(known).toEqual([
      {
        first: { mediaSequence: 5, discontinuitySequence: 1 },
        after: { mediaSequence: 0, discontinuitySequence: 2 },
      },
      {
        first: { mediaSequence: 14, discontinuitySequence: 3 },
        after: { mediaSequence: 0, discontinuitySequence: 5 },
      },
    ])
  })

  it('keeps the ids and starts of its Periods when it returns exactly where a TrackSet begins', () => {
    const starts = new Map<string, string>()
    let known: BreakNumbers | undefined
    for (const from of [0, 1] as const) {
      const { timeline, numbers } = withFillers(channelWith(24, from), [breakAt(12, 12, [SPOT], known)])
      known = numbers[0]
      const manifest = dashManifest(windowAt(timeline, START + 96_000), OPTIONS)
      for (const [period, start] of dashSegments(manifest).periods) {
        expect([period, starts.get(period) ?? start]).toEqual([period, start])
        starts.set(period, start)
      }
    }
    // The Periods: the channel before the break, the filler, and the channel after the break.
    expect(starts.size).toBe(3)
  })

  it('changes nothing before a break, and without fillers', () => {
    const channel = channelWith(15)
    expect(withFillers(channel, []).timeline.spans).toEqual(channel.spans)
    expect(withFillers(channel, [breakAt(5, 20, [])]).timeline.spans).toEqual(channel.spans)
    expect(withFillers(channel, [breakAt(15, 20, [SPOT])]).timeline.spans).toEqual(channel.spans)
  })

  it('tells players of the fillers: as events in DASH, as dates in HLS', () => {
    const { timeline } = withFillers(channelWith(15), [breakAt(5, 24, [SPOT])])
    const window = windowAt(timeline, START + 60_000)
    const manifest = dashManifest(window, OPTIONS)
    expect(manifest).toContain(
      `<EventStream schemeIdUri="urn:test" timescale="1000"><Event presentationTime="0" duration="12000" id="5" contentEncoding="base64" messageData="eyJhIjoxfQ=="/></EventStream>`,
    )
    const { dateRange } = readHls(window, 'v720').segments.find((each) => each.dateRange) ?? {}
    expect(dateRange).toMatchObject({
      classId: 'urn:test',
      duration: 12,
      attributes: { 'X-DATA': 'eyJhIjoxfQ==' },
    })
  })

  it('begins only where a segment begins', () => {
    const channel = channelWith(15)
    expect(segmentFrom(channel, START + 18_000)).toBe(START + 20_000)
    // Splices and media are rounded differently, so 10 ms more must not matter.
    expect(segmentFrom(channel, START + 20_010)).toBe(START + 20_000)
    expect(segmentFrom(channel, START + 60_000)).toBeUndefined()
  })
})

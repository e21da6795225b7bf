import { describe, expect, it } from 'vitest'
import { aTrackSet } from '../test/builders.ts'
import { layoutOfChannel, layoutOfTrackSet, mapOnto } from './layout.ts'
import {
  appendSpan,
  createSpan,
  createTimeline,
  filmTimeline,
  type SpanPlan,
  spanAt,
  withinHeight,
} from './timeline.ts'
import { TimelineError, type TimelineErrorCode } from './timeline-error.ts'
import type { TrackSet } from './track-set.ts'

const EPOCH = Date.UTC(2026, 0, 15, 12)
const a = aTrackSet({ number: 1 })
const b = aTrackSet({ number: 2, segments: 5, lastFrames: 50 })
const layout = layoutOfChannel([a, b])

function plansOf(...trackSets: TrackSet[]): SpanPlan[] {
  const plans: SpanPlan[] = []
  for (const trackSet of trackSets) {
    const last = plans.at(-1)
    plans.push(appendSpan(last ? createSpan(layout, last) : null, trackSet, { startsAt: EPOCH }))
  }
  return plans
}

function codeOf(make: () => unknown): TimelineErrorCode | undefined {
  try {
    make()
    return undefined
  } catch (error) {
    if (error instanceof TimelineError) return error.code
    throw error
  }
}

describe('a Timeline', () => {
  it('continues both counts, and ends a Span with its video', () => {
    const [first, second, third] = createTimeline(layout, plansOf(a, b, a)).spans
    expect([first?.startsAt, first?.endsAt]).toEqual([EPOCH, EPOCH + 60_000])
    // The second Span lasts 4 x 4 s and 50 frames of 1/24 s, rounded up to a whole millisecond.
    expect([second?.startsAt, second?.endsAt]).toEqual([EPOCH + 60_000, EPOCH + 60_000 + 18_084])
    expect([second?.mediaSequence, second?.discontinuitySequence]).toEqual([15, 1])
    expect([third?.mediaSequence, third?.discontinuitySequence]).toEqual([20, 2])
  })

  it('finds the Span at a time', () => {
    const timeline = createTimeline(layout, plansOf(a, b, a))
    expect(
      [EPOCH - 1, EPOCH, EPOCH + 59_999, EPOCH + 60_000, EPOCH + 1e9].map((time) => spanAt(timeline, time)),
    ).toEqual([-1, 0, 0, 1, 2])
  })

  it('of a film is one Span that begins at 0', () => {
    expect(filmTimeline(b).spans).toMatchObject([{ startsAt: 0, endsAt: 18_084, segmentCount: 5 }])
  })

  const edits: [TimelineErrorCode, (plans: [SpanPlan, SpanPlan]) => void][] = [
    ['gap', ([, second]) => (second.startsAt += 1)],
    ['overlap', ([, second]) => (second.startsAt -= 1)],
    ['unordered', ([first, second]) => (second.startsAt = first.startsAt)],
    ['wrong-media-sequence', ([, second]) => (second.mediaSequence += 1)],
    ['wrong-discontinuity-sequence', ([, second]) => (second.discontinuitySequence = 0)],
    ['no-such-segment', ([, second]) => (second.segmentCount = 6)],
    ['no-such-segment', ([, second]) => (second.firstSegment = 1)],
    ['empty', ([first]) => (first.segmentCount = 0)],
    ['negative', ([first]) => (first.firstSegment = -1)],
    ['negative', ([first]) => (first.mediaSequence = -1)],
    ['not-an-integer', ([first]) => (first.startsAt += 0.5)],
    ['not-an-integer', ([first]) => (first.segmentCount = Number.NaN)],
    ['not-an-integer', ([first]) => (first.startsAt = Number.POSITIVE_INFINITY)],
    ['unknown-slot', ([first]) => (first.renditions = { v4320: 'v720' })],
    ['unknown-rendition', ([first]) => (first.renditions = { v720: 'v1080' })],
    ['unknown-rendition', ([first]) => (first.renditions = { v720: 'a-fra' })],
  ]
  it.each(edits)('refuses impossible plans with their error code: %s', (code, edit) => {
    const plans = plansOf(a, b) as [SpanPlan, SpanPlan]
    edit(plans)
    expect(codeOf(() => createTimeline(layout, plans))).toBe(code)
  })

  it('refuses an empty list of Spans, and Spans in the wrong order', () => {
    expect(codeOf(() => createTimeline(layout, []))).toBe('empty')
    expect(codeOf(() => createTimeline(layout, plansOf(a, b).toReversed()))).toBe('unordered')
  })

  const sets: [TimelineErrorCode, TrackSet][] = [
    ['bad-identifier', { ...a, id: '../../etc' }],
    ['bad-key', { ...a, encryption: { keyId: 'short' } }],
    ['duplicate-rendition', { ...a, renditions: [...a.renditions, ...a.renditions.slice(0, 1)] }],
    ['no-picture-no-sound', { ...a, renditions: a.renditions.filter(({ kind }) => kind === 'text') }],
    ['bad-segments', { ...a, renditions: a.renditions.map((rendition) => ({ ...rendition, segments: [] })) }],
    [
      'bad-segments',
      { ...a, renditions: a.renditions.map((rendition) => ({ ...rendition, segments: [[-4, 2]] })) },
    ],
    [
      'bad-rendition',
      { ...a, renditions: a.renditions.map((rendition) => ({ ...rendition, timescale: 0 })) },
    ],
    [
      'bad-thumbnails',
      {
        ...a,
        thumbnails: { tileWidth: 0, tileHeight: 90, columns: 5, rows: 5, intervalSeconds: 4, count: 1 },
      },
    ],
    ['missing-video', aTrackSet({ number: 3, heights: [] })],
    ['missing-audio', aTrackSet({ number: 4, audio: [] })],
    [
      'segment-too-long',
      {
        ...aTrackSet({ number: 5 }),
        renditions: a.renditions.map((rendition) => ({
          ...rendition,
          segments: [[rendition.timescale * 9, 15]],
        })),
      },
    ],
    [
      'codec-mismatch',
      {
        ...aTrackSet({ number: 9 }),
        renditions: a.renditions.map((rendition) =>
          rendition.kind === 'video' ? { ...rendition, codec: 'hvc1.1.6.L93.B0' } : rendition,
        ),
      },
    ],
    [
      'unaligned-rendition',
      {
        ...aTrackSet({ number: 10 }),
        renditions: a.renditions.map((rendition) =>
          rendition.kind === 'audio' ? { ...rendition, segments: [[182_272, 16]] } : rendition,
        ),
      },
    ],
    [
      'rendition-too-short',
      {
        ...aTrackSet({ number: 6 }),
        renditions: a.renditions.map((rendition) =>
          rendition.kind === 'audio' ? { ...rendition, segments: [[192_512, 3]] } : rendition,
        ),
      },
    ],
  ]
  it.each(sets)('refuses TrackSets that cannot play on it: %s', (code, trackSet) => {
    expect(codeOf(() => createTimeline(layout, plansOf(a).concat(appendAfter(trackSet))))).toBe(code)
  })

  it('refuses sound that is too short even in a Timeline of one Span', () => {
    const short = {
      ...a,
      renditions: a.renditions.map((rendition) =>
        rendition.kind === 'audio'
          ? { ...rendition, segments: [[192_512, 3]] satisfies [number, number][] }
          : rendition,
      ),
    }
    expect(codeOf(() => createTimeline(layout, [appendSpan(null, short)]))).toBe('rendition-too-short')
    // In a film, the sound may end before the picture.
    expect(codeOf(() => filmTimeline(short))).toBeUndefined()
  })

  function appendAfter(trackSet: TrackSet): SpanPlan {
    return {
      trackSet,
      startsAt: EPOCH + 60_000,
      firstSegment: 0,
      segmentCount: 15,
      mediaSequence: 15,
      discontinuitySequence: 1,
    }
  }
})

describe('a Layout', () => {
  const small = aTrackSet({ number: 7, heights: [240], audio: ['deu'], text: [] })
  const large = aTrackSet({ number: 8, heights: [360, 1080], audio: ['eng', 'fra'], text: ['fra'] })
  const both = layoutOfChannel([small, large])

  it('has a slot for every height and language that its TrackSets have', () => {
    expect(both.slots.map(({ id }) => id)).toEqual([
      'v240',
      'v360',
      'v1080',
      'a-deu',
      'a-eng',
      'a-fra',
      't-fra',
    ])
    expect(both.slots.filter((slot) => slot.kind === 'audio' && slot.isDefault)).toHaveLength(1)
  })

  it('maps each slot to the nearest picture that is not larger, to its language or the default, to its text or nothing', () => {
    expect(namesOf(small)).toEqual(['v240', 'v240', 'v240', 'a-deu', 'a-deu', 'a-deu', null])
    expect(namesOf(large)).toEqual(['v360', 'v360', 'v1080', 'a-eng', 'a-eng', 'a-fra', 't-fra'])
  })

  function namesOf(trackSet: TrackSet) {
    const map = mapOnto(both, trackSet)
    return both.slots.map(({ id }) => map[id]?.id ?? null)
  }

  it('of a channel plays no commentary, even if a film has nothing else in a language', () => {
    const renditions = large.renditions.map((rendition) => {
      if (rendition.kind !== 'audio') return rendition
      const isCommentary = rendition.language === 'eng'
      return {
        ...rendition,
        id: `${rendition.id}-1`,
        isDefault: !isCommentary,
        ...(isCommentary && { addition: 'commentary' as const }),
      }
    })
    const commented = { ...large, renditions }
    expect(layoutOfChannel([commented]).slots.filter(({ kind }) => kind === 'audio')).toMatchObject([
      { id: 'a-fra' },
    ])
    expect(mapOnto(both, commented)['a-eng']).toMatchObject({ language: 'fra' })
  })

  it('of a channel requires the best decoder that any of its TrackSets needs', () => {
    const better = {
      ...aTrackSet({ number: 12 }),
      renditions: a.renditions.map((rendition) =>
        rendition.kind === 'video' ? { ...rendition, codec: 'avc1.640028', frameRate: 50 } : rendition,
      ),
    }
    for (const sets of [
      [a, better],
      [better, a],
    ]) {
      expect(layoutOfChannel(sets).slots[0]).toMatchObject({ codec: 'avc1.640028', frameRate: 50 })
    }
  })

  it('of a film keeps two pictures of the same height apart', () => {
    const [small] = a.renditions
    if (small?.kind !== 'video') throw new Error('a picture was expected')
    const twice = { ...a, renditions: [small, { ...small, id: 'v360-high' }] }
    const span = filmTimeline(twice).spans[0]
    expect(Object.entries(span?.renditions ?? {}).map(([slot, rendition]) => [slot, rendition?.id])).toEqual([
      ['v360', 'v360'],
      ['v360-high', 'v360-high'],
    ])
  })

  it('of a film has its renditions unchanged, also without picture or without sound', () => {
    expect(layoutOfTrackSet(a).slots.map(({ id }) => id)).toEqual([
      'v360',
      'v720',
      'a-fra',
      'a-eng',
      't-fra',
      't-eng',
    ])
    expect(layoutOfTrackSet(aTrackSet({ number: 3, heights: [] })).slots[0]?.kind).toBe('audio')
    expect(layoutOfTrackSet(aTrackSet({ number: 4, audio: [], text: [] })).slots).toHaveLength(2)
  })
})

describe('a Timeline within a height', () => {
  const high = aTrackSet({ number: 3, heights: [360, 720, 1080] })
  const film = filmTimeline(high)
  const heightsOf = (timeline: ReturnType<typeof filmTimeline>) =>
    timeline.layout.slots.flatMap((slot) => (slot.kind === 'video' ? [slot.height] : []))

  it('has no higher video, and the lowest where all is higher', () => {
    expect(heightsOf(withinHeight(film, 1080))).toEqual([360, 720, 1080])
    expect(heightsOf(withinHeight(film, 1079))).toEqual([360, 720])
    expect(heightsOf(withinHeight(film, 100))).toEqual([360])
    for (const { renditions } of withinHeight(film, 720).spans)
      expect(Object.keys(renditions)).not.toContain('v1080')
  })

  it('keeps its sounds and its counts, in all Spans of a channel', () => {
    const channel = createTimeline(layoutOfChannel([high, high]), [
      appendSpan(null, high, { startsAt: EPOCH }),
    ])
    const within = withinHeight(channel, 720)
    expect(heightsOf(within)).toEqual([360, 720])
    const rest = ({ layout: { slots } }: typeof channel) => slots.filter(({ kind }) => kind !== 'video')
    expect(rest(within)).toEqual(rest(channel))
    expect(within.spans[0]).toMatchObject({ mediaSequence: 0, segmentCount: 15, startsAt: EPOCH })
  })

  it('is the same object for the same height, so that its manifests are written once', () => {
    expect(withinHeight(film, 720)).toBe(withinHeight(film, 720))
    expect(withinHeight(film, 2000)).toBe(film)
  })
})

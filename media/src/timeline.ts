import {
  completeMap,
  type Layout,
  layoutAt,
  layoutOfTrackSet,
  layoutWithin,
  mapOnto,
  mapOntoOwn,
  type RenditionMap,
} from './layout.ts'
import { type SegmentTimes, segmentTimes } from './segment-times.ts'
import { TimelineError } from './timeline-error.ts'
import type { TrackSet } from './track-set.ts'
import { clockRendition } from './track-set-check.ts'

/**
 * How a Span follows the previous Span.
 *
 * - `break`: other media, without a gap. Manifests signal a discontinuity.
 * - `continuous`: the same encoding continues, with the same format and consecutive decode times. Players notice
 *   nothing. The key may change.
 * - `gap`: other media, after a gap. A live input has gaps where its signal was lost, and a recording where a part
 *   is left out.
 */
export type Joint = 'break' | 'continuous' | 'gap'

/**
 * A part of a TrackSet on a clock. It begins at `startsAt` with segment `firstSegment` (counted from 0; the file
 * number is one higher), and contains `segmentCount` segments of the clock rendition.
 */
export interface Span {
  readonly trackSet: TrackSet
  /** Start in milliseconds: since the Unix epoch on a channel, since the beginning in a film. */
  readonly startsAt: number
  /**
   * End of the video, rounded up to a whole millisecond. Audio segments never end exactly then. If the next Span
   * cuts this Span short, this is the start of the next Span.
   */
  readonly endsAt: number
  readonly firstSegment: number
  readonly segmentCount: number
  /**
   * Number of segments of the Timeline before this Span. Manifests derive the numbers of the Span's segments from this
   * number alone.
   */
  readonly mediaSequence: number
  /** Number of discontinuities before this Span. A `continuous` Span adds none. */
  readonly discontinuitySequence: number
  readonly joint: Joint
  /** The rendition behind each slot of the Timeline's Layout. */
  readonly renditions: RenditionMap
  /** Segment times of the clock rendition, by which the Span is cut: the first video, or else the first sound. */
  readonly times: SegmentTimes
  /** The event that manifests pass on to players. */
  readonly event?: SpanEvent
}

/** An event that lasts as long as a Span, such as an advertisement. Manifests pass it on to players. */
export interface SpanEvent {
  /** Identifies the meaning of `data` for players. */
  schemeIdUri: string
  durationMs: number
  /** Data in base64, because not every XML reader resolves references in attributes. */
  data: string
}

/**
 * An ordered list of Spans. It has no gaps except before Spans with the joint `gap`. Everything that plays is a
 * Timeline.
 */
export interface Timeline {
  readonly layout: Layout
  readonly spans: readonly Span[]
}

/** The stored form of a Span in a schedule. */
export interface SpanPlan {
  trackSet: TrackSet
  startsAt: number
  firstSegment: number
  segmentCount: number
  mediaSequence: number
  discontinuitySequence: number
  /** `break` if omitted. */
  joint?: Joint
  /**
   * Ids of the renditions to play, by the id of their slot. They replace the renditions that `mapOnto` would
   * choose.
   */
  renditions?: Readonly<Record<string, string>>
}

/**
 * Returns the duration of `segmentCount` segments of a TrackSet from `firstSegment` on, in milliseconds, rounded
 * up.
 */
export function spanMilliseconds(
  trackSet: TrackSet,
  firstSegment = 0,
  segmentCount = segmentTimes(clockRendition(trackSet)).count - firstSegment,
): number {
  const times = segmentTimes(clockRendition(trackSet))
  const ticks = times.startTicks(firstSegment + segmentCount) - times.startTicks(firstSegment)
  return Math.ceil((ticks * 1000) / times.timescale)
}

const maps = new WeakMap<Layout, WeakMap<TrackSet, RenditionMap>>()

function mapOnce(layout: Layout, trackSet: TrackSet): RenditionMap {
  let ofLayout = maps.get(layout)
  if (!ofLayout) maps.set(layout, (ofLayout = new WeakMap()))
  let map = ofLayout.get(trackSet)
  if (!map) ofLayout.set(trackSet, (map = mapOnto(layout, trackSet)))
  return map
}

/** Maps of older Spans by the whole Layout and the map of the Span's own slots. Manifests are cached by map. */
const completed = new WeakMap<Layout, WeakMap<RenditionMap, RenditionMap>>()

/** Returns the renditions of a Span that begins at `startsAt`. The Layout may have grown since. */
function mapAt(layout: Layout, trackSet: TrackSet, startsAt: number): RenditionMap {
  const own = layoutAt(layout, startsAt)
  const renditions = mapOnce(own, trackSet)
  if (own === layout) return renditions
  let ofLayout = completed.get(layout)
  if (!ofLayout) completed.set(layout, (ofLayout = new WeakMap()))
  let map = ofLayout.get(renditions)
  if (!map) ofLayout.set(renditions, (map = completeMap(layout, own, renditions)))
  return map
}

/**
 * Makes a Span from its stored form.
 *
 * @throws TimelineError for impossible numbers, missing segments, and TrackSets that do not fit `layout`.
 */
export function createSpan(layout: Layout, plan: SpanPlan): Span {
  return placeSpan(plan, (trackSet) =>
    plan.renditions ? mapOnto(layout, trackSet, plan.renditions) : mapAt(layout, trackSet, plan.startsAt),
  )
}

function placeSpan(plan: SpanPlan, renditionsOf: (trackSet: TrackSet) => RenditionMap): Span {
  const { trackSet, startsAt, firstSegment, segmentCount, mediaSequence, discontinuitySequence } = plan
  const { joint = 'break' } = plan
  const subject = `span ${discontinuitySequence}`
  const numbers = [startsAt, firstSegment, segmentCount, mediaSequence, discontinuitySequence]
  if (!numbers.every(Number.isSafeInteger)) throw new TimelineError('not-an-integer', subject)
  if (numbers.some((number) => number < 0)) throw new TimelineError('negative', subject)
  if (segmentCount === 0) throw new TimelineError('empty', subject)
  const times = segmentTimes(clockRendition(trackSet))
  if (firstSegment + segmentCount > times.count) throw new TimelineError('no-such-segment', subject)
  return {
    trackSet,
    startsAt,
    endsAt: startsAt + spanMilliseconds(trackSet, firstSegment, segmentCount),
    firstSegment,
    segmentCount,
    mediaSequence,
    discontinuitySequence,
    joint,
    renditions: renditionsOf(trackSet),
    times,
  }
}

/**
 * Returns the plan of the Span after `previous`: it begins when `previous` ends, and continues the counts of
 * segments and discontinuities.
 */
export function appendSpan(
  previous:
    | Span
    | { endsAt: number; mediaSequence: number; segmentCount: number; discontinuitySequence: number }
    | null,
  trackSet: TrackSet,
  {
    startsAt = 0,
    firstSegment = 0,
    segmentCount,
  }: { startsAt?: number; firstSegment?: number; segmentCount?: number } = {},
): SpanPlan {
  return {
    trackSet,
    firstSegment,
    segmentCount: segmentCount ?? segmentTimes(clockRendition(trackSet)).count - firstSegment,
    startsAt: previous?.endsAt ?? startsAt,
    mediaSequence: previous ? previous.mediaSequence + previous.segmentCount : 0,
    discontinuitySequence: previous ? previous.discontinuitySequence + 1 : 0,
  }
}

/**
 * Makes the Timeline of a channel, or of consecutive Spans of a channel. A segment number means the same time in
 * all renditions.
 *
 * @throws TimelineError empty, unordered, gap, overlap, wrong-media-sequence, wrong-discontinuity-sequence,
 * rendition-too-short
 */
export function createTimeline(layout: Layout, plans: readonly SpanPlan[]): Timeline {
  if (plans.length === 0) throw new TimelineError('empty', 'timeline')
  const spans = plans.map((plan) => createSpan(layout, plan))
  for (const [index, span] of spans.entries()) {
    const before = spans[index - 1]
    if (before) checkFollows(before, span)
    checkLengths(span)
  }
  return { layout, spans }
}

function checkFollows(before: Span, span: Span): void {
  const subject = `span ${span.discontinuitySequence}`
  if (span.startsAt <= before.startsAt) throw new TimelineError('unordered', subject)
  if (span.startsAt > before.endsAt && span.joint !== 'gap') throw new TimelineError('gap', subject)
  if (span.startsAt < before.endsAt) throw new TimelineError('overlap', subject)
  if (span.mediaSequence !== before.mediaSequence + before.segmentCount) {
    throw new TimelineError('wrong-media-sequence', subject)
  }
  const discontinuities = span.joint === 'continuous' ? 0 : 1
  if (span.discontinuitySequence !== before.discontinuitySequence + discontinuities) {
    throw new TimelineError('wrong-discontinuity-sequence', subject)
  }
}

/**
 * Verifies that every rendition of a channel's Span has all segments of the Span. A missing segment would shift
 * the numbers of the rendition's later segments against those of the other renditions.
 */
function checkLengths(span: Span): void {
  for (const rendition of Object.values(span.renditions)) {
    if (rendition && segmentTimes(rendition).count < span.firstSegment + span.segmentCount) {
      throw new TimelineError(
        'rendition-too-short',
        `rendition ${rendition.id} of TrackSet ${span.trackSet.id}`,
      )
    }
  }
}

/**
 * Returns a Timeline without some of its Spans. Each removed Span becomes a gap, and still counts in the numbers
 * of later Spans. Undefined if all Spans are removed.
 */
export function withoutSpans(
  { layout, spans }: Timeline,
  isLeftOut: (span: Span) => boolean,
): Timeline | undefined {
  const kept: Span[] = []
  for (const span of spans) {
    if (isLeftOut(span)) continue
    const before = kept.at(-1)
    const isGap = before !== undefined && before.endsAt < span.startsAt
    const joint = isGap ? 'gap' : span.joint
    kept.push(
      before
        ? {
            ...span,
            joint,
            mediaSequence: before.mediaSequence + before.segmentCount,
            discontinuitySequence: before.discontinuitySequence + (joint === 'continuous' ? 0 : 1),
          }
        : span,
    )
  }
  return kept.length === 0 ? undefined : { layout, spans: kept }
}

/**
 * Cache of Timelines with a maximum height, by Timeline and height, so that equal windows have the same Timeline.
 */
const limited = new WeakMap<Timeline, Map<number, Timeline>>()

/** Returns a Timeline without the video above a height in pixels. If all video is higher, the lowest remains. */
export function withinHeight(timeline: Timeline, maximumHeight: number): Timeline {
  let ofTimeline = limited.get(timeline)
  if (!ofTimeline) limited.set(timeline, (ofTimeline = new Map()))
  let known = ofTimeline.get(maximumHeight)
  if (!known) ofTimeline.set(maximumHeight, (known = limit(timeline, maximumHeight)))
  return known
}

function limit(timeline: Timeline, maximumHeight: number): Timeline {
  const layout = layoutWithin(timeline.layout, maximumHeight)
  if (layout === timeline.layout) return timeline
  const spans = timeline.spans.map((span) => ({ ...span, renditions: mapWithin(layout, span.renditions) }))
  return { layout, spans }
}

/** RenditionMaps of Layouts with a maximum height, by the original map. Manifests are cached by RenditionMap. */
const mapsWithin = new WeakMap<Layout, WeakMap<RenditionMap, RenditionMap>>()

function mapWithin(layout: Layout, whole: RenditionMap): RenditionMap {
  let ofLayout = mapsWithin.get(layout)
  if (!ofLayout) mapsWithin.set(layout, (ofLayout = new WeakMap()))
  let map = ofLayout.get(whole)
  if (!map) {
    map = Object.fromEntries(layout.slots.map(({ id }) => [id, whole[id] ?? null]))
    ofLayout.set(whole, map)
  }
  return map
}

const films = new WeakMap<TrackSet, Timeline>()

/** Returns the Timeline of a film, an episode or a trailer: one Span with the whole TrackSet from 0. */
export function filmTimeline(trackSet: TrackSet): Timeline {
  let timeline = films.get(trackSet)
  if (!timeline) {
    const layout = layoutOfTrackSet(trackSet)
    // In a film, sound may be cut at other times than the picture, and may end before or after the picture. A
    // channel does not allow this, because the segment numbers of later Spans depend on it.
    const span = placeSpan(appendSpan(null, trackSet), () => mapOntoOwn(layout, trackSet))
    timeline = { layout, spans: [span] }
    films.set(trackSet, timeline)
  }
  return timeline
}

/** Returns the index of the last Span that has started at `time`; -1 before the first Span. */
export function spanAt(timeline: Timeline, time: number): number {
  const { spans } = timeline
  let low = -1
  let high = spans.length
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    // `middle` is always a valid index here.
    if ((spans[middle] as Span).startsAt <= time) low = middle
    else high = middle
  }
  return low
}

import { segmentTimes } from './segment-times.ts'
import { createSpan, type Span, type SpanEvent, type Timeline } from './timeline.ts'
import type { TrackSet } from './track-set.ts'
import { clockRendition } from './track-set-check.ts'
import { segmentStart } from './window.ts'

/** Media that plays in a break instead of the channel's own media. */
interface Filler {
  trackSet: TrackSet
  /** The event of the advertisement. Manifests pass it on to players. */
  event: SpanEvent
}

/**
 * Sequence numbers of a Span. After the first replaced break, the numbers in a viewer's playback session differ from
 * the channel's.
 */
interface Numbers {
  mediaSequence: number
  discontinuitySequence: number
}

/** A break of a channel whose media is replaced. Times are milliseconds on the clock of the Timeline. */
export interface ReplacedBreak {
  /** Start of the first filler, which is also the start of a segment of the channel. */
  startsAt: number
  /** End of the break. All fillers end by then. */
  endsAt: number
  fillers: readonly Filler[]
  /**
   * The playback session's numbers at the break, as {@link withFillers} has returned them. They are needed once the
   * Timeline does not contain the media before the break any more.
   */
  numbers?: BreakNumbers | undefined
}

/** Sequence numbers of a playback session at a break. */
export interface BreakNumbers {
  /** Numbers of the first filler; undefined if no filler is placed yet. */
  first?: Numbers | undefined
  /**
   * Difference between the numbers of the playback session and of the channel after the break; undefined until the
   * channel's own media plays again.
   */
  after?: Numbers | undefined
}

/** A Timeline whose breaks are replaced. */
export interface ReplacedTimeline {
  timeline: Timeline
  /** The numbers of each break, in order. */
  numbers: readonly BreakNumbers[]
}

/**
 * Maximum difference between a splice and the start of its segment, in milliseconds: splices and media are rounded
 * differently. Less than a frame.
 */
const MARK_TOLERANCE_MS = 15

const NO_NUMBERS: Numbers = { mediaSequence: 0, discontinuitySequence: 0 }

/** A part of the channel's Timeline, or a filler. */
interface Piece {
  span: Span
  /** The break, for a filler. */
  ofBreak?: ReplacedBreak
}

/**
 * Returns the start of the first segment at or after a time; undefined if the channel has not reached it yet.
 * Playback can switch to other media only at the start of a segment.
 */
export function segmentFrom({ spans }: Timeline, time: number): number | undefined {
  for (const span of spans) {
    if (span.endsAt <= time) continue
    const index = firstFrom(span, time)
    if (index < span.segmentCount) return segmentStart(span, index)
  }
  return undefined
}

/**
 * Returns the Timeline of a channel with its breaks replaced by fillers. A filler that is too long ends with its
 * break. After the fillers, the channel's own media continues with its next segment, so that the viewer never lags
 * behind other viewers of the channel.
 *
 * @param breaks in order of time. Each begins at the start of a segment.
 */
export function withFillers(channel: Timeline, breaks: readonly ReplacedBreak[]): ReplacedTimeline {
  const { layout, spans } = channel
  const begin = spans[0]?.startsAt ?? 0
  const end = spans.at(-1)?.endsAt ?? 0
  const placed = breaks.map((each) => ({ each, fillers: fillersOf(channel, each) }))
  const shown = placed.filter(
    ({ each, fillers }) => fillers.length > 0 && each.startsAt < end && endOf(fillers) > begin,
  )
  const pieces: Piece[] = shown.flatMap(({ each, fillers }) =>
    fillers.map((span) => ({ span, ofBreak: each })),
  )
  for (const span of spans) {
    let from = 0
    for (const { each, fillers } of shown) {
      const first = firstFrom(span, each.startsAt)
      const next = firstFrom(span, endOf(fillers))
      if (next <= first || next <= from) continue
      if (first > from) pieces.push({ span: partOf(span, from, first) })
      from = next
    }
    if (from < span.segmentCount) pieces.push({ span: from === 0 ? span : partOf(span, from) })
  }
  pieces.sort((one, other) => one.span.startsAt - other.span.startsAt)
  const before = placed.findLast(({ fillers }) => fillers.length > 0 && endOf(fillers) <= begin)
  const numbered = number(pieces, channel, before?.each.numbers?.after ?? NO_NUMBERS)
  return {
    timeline: { layout, spans: numbered },
    numbers: breaks.map((each) => {
      const first = numbered[pieces.findIndex(({ ofBreak }) => ofBreak === each)]
      if (!first) return each.numbers ?? {}
      const next = pieces.findLastIndex(({ ofBreak }) => ofBreak === each) + 1
      const [piece, span] = [pieces[next], numbered[next]]
      const isBack = piece !== undefined && span !== undefined && !piece.ofBreak
      return {
        first: each.numbers?.first ?? numbersOf(first),
        after: isBack ? difference(span, piece.span) : each.numbers?.after,
      }
    }),
  }

  /** Returns the Spans of a break's fillers, cut off at the end of the break. */
  function fillersOf(timeline: Timeline, { startsAt, endsAt, fillers }: ReplacedBreak): Span[] {
    const made: Span[] = []
    let at = startsAt
    const until = lastStart(timeline, endsAt)
    for (const { trackSet, event } of fillers) {
      if (at >= until - MARK_TOLERANCE_MS) break
      const span = createSpan(layout, {
        trackSet,
        startsAt: at,
        firstSegment: 0,
        segmentCount: trackSetSegments(trackSet),
        mediaSequence: 0,
        discontinuitySequence: 0,
      })
      const cut = { ...span, event, endsAt: Math.min(span.endsAt, until) }
      made.push({ ...cut, segmentCount: Math.max(1, firstFrom(cut, cut.endsAt)) })
      at = cut.endsAt
    }
    return made
  }
}

function trackSetSegments(trackSet: TrackSet): number {
  return segmentTimes(clockRendition(trackSet)).count
}

function endOf(fillers: readonly Span[]): number {
  return fillers.at(-1)?.endsAt ?? -Infinity
}

/**
 * Returns the start of the last segment that begins up to a time; the time itself if the channel has not reached
 * it yet.
 */
function lastStart({ spans }: Timeline, time: number): number {
  const span = spans.findLast(({ startsAt }) => startsAt <= time + MARK_TOLERANCE_MS)
  if (!span || span.endsAt <= time) return time
  return segmentStart(span, Math.max(0, firstFrom(span, time + 2 * MARK_TOLERANCE_MS) - 1))
}

/** Returns the index, within a Span, of the first segment that begins at or after a time. */
function firstFrom(span: Span, time: number): number {
  const wanted = time - MARK_TOLERANCE_MS
  let [low, high] = [-1, span.segmentCount]
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (segmentStart(span, middle) >= wanted) high = middle
    else low = middle
  }
  return high
}

/** Returns the segments `[from, to)` of a channel's Span as a Span. */
function partOf(span: Span, from: number, to = span.segmentCount): Span {
  const isWhole = to === span.segmentCount
  return {
    ...span,
    firstSegment: span.firstSegment + from,
    segmentCount: to - from,
    mediaSequence: span.mediaSequence + from,
    startsAt: segmentStart(span, from),
    endsAt: isWhole ? span.endsAt : segmentStart(span, to),
  }
}

/**
 * Numbers the consecutive Spans of a playback session.
 *
 * @param offset difference between the numbers of the session and of the channel, at the beginning of the Timeline
 */
function number(pieces: readonly Piece[], channel: Timeline, offset: Numbers): Span[] {
  const numbered: Span[] = []
  for (const [index, { span, ofBreak }] of pieces.entries()) {
    const before = numbered.at(-1)
    if (!before) {
      const [first = span] = channel.spans
      const known = ofBreak?.numbers?.first ?? sum(ofBreak ? first : span, offset)
      numbered.push({ ...span, ...known })
      continue
    }
    const isOther = ofBreak !== undefined || pieces[index - 1]?.ofBreak !== undefined
    const joint = isOther ? (before.endsAt < span.startsAt ? 'gap' : 'break') : span.joint
    numbered.push({
      ...span,
      joint,
      mediaSequence: before.mediaSequence + before.segmentCount,
      discontinuitySequence: before.discontinuitySequence + (joint === 'continuous' ? 0 : 1),
    })
  }
  return numbered
}

function numbersOf({ mediaSequence, discontinuitySequence }: Numbers): Numbers {
  return { mediaSequence, discontinuitySequence }
}

function sum(one: Numbers, other: Numbers): Numbers {
  return {
    mediaSequence: one.mediaSequence + other.mediaSequence,
    discontinuitySequence: one.discontinuitySequence + other.discontinuitySequence,
  }
}

function difference(one: Numbers, other: Numbers): Numbers {
  return {
    mediaSequence: one.mediaSequence - other.mediaSequence,
    discontinuitySequence: one.discontinuitySequence - other.discontinuitySequence,
  }
}

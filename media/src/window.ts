import { type Span, spanAt, type Timeline } from './timeline.ts'

/**
 * The part of a Timeline that a manifest contains, in whole segments. `whole`: a film. `sliding`: live. `growing`:
 * a start-over, which has a fixed beginning and ends with its programme. `closed`: a recording.
 *
 * If all fields of two windows are equal, their manifests have the same bytes.
 */
export interface Window {
  readonly timeline: Timeline
  readonly kind: 'whole' | 'sliding' | 'growing' | 'closed'
  /** Indexes of the window's first and last Span. */
  readonly firstSpan: number
  readonly lastSpan: number
  /** First segment of the first Span, counted from the start of that Span. */
  readonly firstSegment: number
  /** Number of segments of the last Span, from the start of that Span to the end of the window. */
  readonly endSegment: number
  /** Whether the window is complete, so that no segment will be added. */
  readonly ended: boolean
  /** When the newest segment was complete, in milliseconds. Manifests state no other publication time. */
  readonly publishedAt: number
}

/** Maximum delay after which the media of a live input is complete, in milliseconds. */
export const LATEST_MEDIA_MS = 30_000

/** Default duration of a live window, in seconds. */
export const LIVE_WINDOW_SECONDS = 60

/** Returns the window of a film: all of it, from its beginning. */
export function wholeWindow(timeline: Timeline): Window {
  const lastSpan = timeline.spans.length - 1
  const last = timeline.spans[lastSpan] as Span
  return {
    timeline,
    kind: 'whole',
    firstSpan: 0,
    lastSpan,
    firstSegment: 0,
    endSegment: last.segmentCount,
    ended: true,
    publishedAt: last.endsAt,
  }
}

/**
 * Returns the live window at `now`. A segment is included once its end has passed.
 *
 * @param now milliseconds since the Unix epoch.
 * @param options.seconds maximum duration of the window
 * @param options.since end of the media that the viewer may not see, in the unit of `now`. The window begins with the
 * first segment after it.
 * @param options.liveUntil end of the media that viewers may only watch live, in the unit of `now`. Of this media,
 * the window contains only the last {@link LIVE_WINDOW_SECONDS}, in whole segments, which players need at the live
 * edge.
 * @returns null while nothing has been published after `since`, or when the Timeline ended longer ago than the window
 * lasts.
 */
export function slidingWindow(
  timeline: Timeline,
  now: number,
  {
    seconds = LIVE_WINDOW_SECONDS,
    since = 0,
    liveUntil = 0,
  }: { seconds?: number; since?: number | undefined; liveUntil?: number | undefined } = {},
): Window | null {
  const edge = edgeAt(timeline, now)
  if (!edge) return null
  const last = timeline.spans[edge.span] as Span
  if (now > last.endsAt + seconds * 1000) return null
  const publishedAt = segmentEnd(last, edge.end - 1)
  if (publishedAt <= since) return null
  const liveFrom = publishedAt - LIVE_WINDOW_SECONDS * 1000
  const earliest = Math.max(publishedAt - seconds * 1000, since, Math.min(liveUntil, liveFrom))
  const cut = spanAfter(timeline, cutAt(timeline, Math.min(earliest, publishedAt - 1)), since)
  const from = liveUntil <= liveFrom ? wholeAfter(timeline, cut, liveUntil) : cut
  return {
    timeline,
    kind: 'sliding',
    firstSpan: from.span,
    firstSegment: from.segment,
    lastSpan: edge.span,
    endSegment: edge.end,
    ended: false,
    publishedAt,
  }
}

/**
 * Returns the start-over window. It begins with the segment that contains `from`, and ends with the newest
 * published segment, but not after the segment that contains the last millisecond before `until`.
 *
 * @returns null while none of its segments has been published, or when the Timeline begins after `from`.
 */
export function growingWindow(timeline: Timeline, from: number, now: number, until: number): Window | null {
  const window = between(timeline, from, Math.min(now, until), now, until)
  if (!window) return null
  return { ...window, kind: 'growing', ended: window.ended || now >= until + LATEST_MEDIA_MS }
}

/**
 * Returns the window of a recording, from the segment that contains `from` to the segment that contains the
 * last millisecond before `to`.
 *
 * @returns null when the Timeline does not contain the whole recording.
 */
export function closedWindow(timeline: Timeline, from: number, to: number): Window | null {
  const window = between(timeline, from, to, Number.POSITIVE_INFINITY, to)
  return window?.ended ? { ...window, kind: 'closed' } : null
}

/** Returns when a window begins: the start of its first segment, in milliseconds since the Unix epoch. */
export function windowStart({ timeline, firstSpan, firstSegment }: Window): number {
  return segmentStart(timeline.spans[firstSpan] as Span, firstSegment)
}

function between(
  timeline: Timeline,
  from: number,
  to: number,
  now: number,
  until: number,
): Omit<Window, 'kind'> | null {
  const begin = spanAt(timeline, from)
  if (begin < 0 || from >= to) return null
  const start = cutAt(timeline, from)
  const edge = edgeAt(timeline, now)
  if (!edge) return null
  // The last segment contains the last millisecond before `until`. It may not be published yet.
  const end = cutAt(timeline, until - 1)
  const over = edge.span > end.span || (edge.span === end.span && edge.end > end.segment)
  const lastSpan = over ? end.span : edge.span
  const endSegment = over ? end.segment + 1 : edge.end
  if (lastSpan < start.span || (lastSpan === start.span && endSegment <= start.segment)) return null
  const last = timeline.spans[lastSpan] as Span
  return {
    timeline,
    firstSpan: start.span,
    firstSegment: start.segment,
    lastSpan,
    endSegment,
    // If the window ends with a gap, the existence of a later Span shows that no more media will arrive.
    ended: over && (until <= last.endsAt || edge.span > lastSpan),
    publishedAt: segmentEnd(last, endSegment - 1),
  }
}

/** Returns when a segment ends, in milliseconds, rounded up. `segment` counts from the Span's start. */
export function segmentEnd(span: Span, segment: number): number {
  return Math.min(span.endsAt, segmentStart(span, segment + 1))
}

/** Returns when a segment begins, in milliseconds, rounded up. `segment` counts from the Span's start. */
export function segmentStart(span: Span, segment: number): number {
  const { times, firstSegment } = span
  const ticks = times.startTicks(firstSegment + segment) - times.startTicks(firstSegment)
  return span.startsAt + Math.ceil((ticks * 1000) / times.timescale)
}

/** Returns the newest Span with a published segment, and the number of its published segments. */
function edgeAt(timeline: Timeline, now: number): { span: number; end: number } | null {
  const span = spanAt(timeline, now)
  if (span < 0) return null
  const end = publishedIn(timeline.spans[span] as Span, now)
  if (end > 0) return { span, end }
  const before = timeline.spans[span - 1]
  return before ? { span: span - 1, end: before.segmentCount } : null
}

/**
 * Returns the segment `cut`, or the first segment of the next Span if the Span of `cut` ended by `time`. Then `time` is
 * in a gap, or at its beginning.
 */
function spanAfter(timeline: Timeline, cut: CutPoint, time: number): CutPoint {
  const span = timeline.spans[cut.span] as Span
  return span.endsAt <= time ? { span: cut.span + 1, segment: 0 } : cut
}

/** Returns the segment `cut`, or the next segment if `cut` begins before `time`. */
function wholeAfter(timeline: Timeline, cut: CutPoint, time: number): CutPoint {
  const span = timeline.spans[cut.span] as Span
  if (segmentStart(span, cut.segment) >= time) return cut
  const isLast = cut.segment + 1 === span.segmentCount
  return isLast ? { span: cut.span + 1, segment: 0 } : { span: cut.span, segment: cut.segment + 1 }
}

function publishedIn(span: Span, now: number): number {
  if (now >= span.endsAt) return span.segmentCount
  const { times, firstSegment, segmentCount } = span
  const elapsed = ((now - span.startsAt) * times.timescale) / 1000
  const ended = times.endedAt(times.startTicks(firstSegment) + elapsed) - firstSegment
  return Math.min(Math.max(ended, 0), segmentCount)
}

/** Identifies a segment of a Timeline: the index of its Span, and its index within the Span. */
interface CutPoint {
  span: number
  segment: number
}

/**
 * Returns the segment that contains `time`; before the Timeline, its first segment; after a Span, the Span's last
 * segment.
 */
function cutAt(timeline: Timeline, time: number): CutPoint {
  const span = spanAt(timeline, time)
  if (span < 0) return { span: 0, segment: 0 }
  const found = timeline.spans[span] as Span
  return { span, segment: Math.min(publishedIn(found, time), found.segmentCount - 1) }
}

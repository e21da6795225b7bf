import { type SegmentTimes, segmentTimes } from './segment-times.ts'
import type { Span } from './timeline.ts'
import type { Rendition, ThumbnailTiles } from './track-set.ts'
import type { Window } from './window.ts'

/** Address of a WebVTT file without cues, below the media base. HLS uses it for a text slot without a matching text in a Span. */
export const EMPTY_TEXT = 'empty.vtt'

/**
 * Folder in each TrackSet with subtitle segments without cues, cut like the clock rendition. DASH uses them
 * for a text slot without a matching text.
 */
export const NO_TEXT = 'no-text'

/** The segments of a Span that a window shows: `[from, to)`, counted in the TrackSet from 0. */
export interface SpanSegments {
  readonly span: Span
  readonly from: number
  readonly to: number
}

/** Returns the part of each Span within the window, in segments of the clock rendition. */
export function spansOf(window: Window): SpanSegments[] {
  const { timeline, firstSpan, lastSpan, firstSegment, endSegment } = window
  const parts: SpanSegments[] = []
  for (let position = firstSpan; position <= lastSpan; position++) {
    const span = timeline.spans[position] as Span
    parts.push({
      span,
      from: span.firstSegment + (position === firstSpan ? firstSegment : 0),
      to: span.firstSegment + (position === lastSpan ? endSegment : span.segmentCount),
    })
  }
  return parts
}

/**
 * Returns the end of a part for `rendition`. In a film, each rendition is shown to its own end, because sound
 * may have a segment more or less than the picture. In other windows, all renditions have the same numbers.
 */
export function endOf(part: SpanSegments, rendition: Rendition | null, window: Window): number {
  const showsAll = window.kind === 'whole' && part.to === part.span.times.count
  return showsAll && rendition ? segmentTimes(rendition).count : part.to
}

/**
 * Returns the time at which segment `from` of the Span's clock begins, in ticks of another rendition. The
 * segments of the other rendition are timed relative to this point, because sound is cut slightly off the
 * picture and must keep that offset.
 */
export function clockTicks(span: Span, from: number, { timescale }: SegmentTimes): number {
  return Math.round((span.times.startTicks(from) * timescale) / span.times.timescale)
}

/** Returns the segment times of a slot: the rendition's own, or the clock's for a text slot without a matching text. */
export function timesOf(span: Span, rendition: Rendition | null): SegmentTimes {
  return rendition ? segmentTimes(rendition) : span.times
}

/** Returns the thumbnails for a window: only for a whole film. Parts of a film would need tiles cut at the same places. */
export function tilesOf({ kind, timeline: { spans } }: Window): ThumbnailTiles | null {
  const [first] = spans
  return kind === 'whole' && spans.length === 1 && first?.firstSegment === 0
    ? first.trackSet.thumbnails
    : null
}

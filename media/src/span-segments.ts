import { type SegmentTimes, segmentTimes } from './segment-times.ts'
import type { Span } from './timeline.ts'
import type { Rendition, ThumbnailTiles } from './track-set.ts'
import type { Window } from './window.ts'

/**
 * Address of a WebVTT file without cues, relative to the media base. HLS uses it when a Span has no matching text
 * for a text slot.
 */
export const EMPTY_TEXT = 'empty.vtt'

/**
 * Folder in each TrackSet with subtitle segments without cues, cut like the clock rendition. DASH uses them when a
 * Span has no matching text for a text slot.
 */
export const NO_TEXT = 'no-text'

/** A window's segments of a Span: `[from, to)`, counted in the TrackSet from 0. */
export interface SpanSegments {
  readonly span: Span
  readonly from: number
  readonly to: number
}

/** Returns the window's segments of each Span in the window, counted in segments of the clock rendition. */
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
 * Returns the index after the last segment of `rendition` in `part`. In a film, each rendition ends with its own
 * last segment, because sound may have a segment more or less than the picture. In other windows, all renditions
 * end with the same segment number.
 */
export function endOf(part: SpanSegments, rendition: Rendition | null, window: Window): number {
  const showsAll = window.kind === 'whole' && part.to === part.span.times.count
  return showsAll && rendition ? segmentTimes(rendition).count : part.to
}

/**
 * Returns the time at which segment `from` of the Span's clock rendition begins, in ticks of another rendition.
 * The times of the other rendition are relative to this time: sound is not cut exactly where the picture is cut,
 * and must keep that offset.
 */
export function clockTicks(span: Span, from: number, { timescale }: SegmentTimes): number {
  return Math.round((span.times.startTicks(from) * timescale) / span.times.timescale)
}

/**
 * Returns the segment times of a slot: those of its rendition, or of the clock rendition for a text slot without a
 * matching text.
 */
export function timesOf(span: Span, rendition: Rendition | null): SegmentTimes {
  return rendition ? segmentTimes(rendition) : span.times
}

/** Returns the thumbnail tiles of a Span. Only films have tiles. */
export function tilesOf({ trackSet }: Span, { kind }: Window): ThumbnailTiles | null {
  return kind === 'whole' ? trackSet.thumbnails : null
}

import { type SegmentTimes, segmentTimes } from './segment-times.ts'
import type { Span } from './timeline.ts'
import type { Rendition, ThumbnailTiles } from './track-set.ts'
import type { Window } from './window.ts'

/** Address of a WebVTT file without cues, below the media base: HLS shows it in a text slot of a Span that has no such text. */
export const EMPTY_TEXT = 'empty.vtt'

/** Folder of each TrackSet with subtitle segments without cues, cut like its clock rendition: the same for DASH. */
export const NO_TEXT = 'no-text'

/** The segments of one rendition that a window shows of a Span: `[from, to)`, counted in the TrackSet from 0. */
export interface SpanSegments {
  readonly span: Span
  readonly from: number
  readonly to: number
}

/** The part of each Span that is in the window, by the clock rendition. */
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
 * How far `rendition` goes in a part. A film shows each rendition to its own end, because sound may have a segment more or
 * less than the picture; elsewhere all renditions have the same numbers.
 */
export function endOf(part: SpanSegments, rendition: Rendition | null, window: Window): number {
  const showsAll = window.kind === 'whole' && part.to === part.span.times.count
  return showsAll && rendition ? segmentTimes(rendition).count : part.to
}

/**
 * The moment at which segment `from` of the Span's clock begins, in ticks of another rendition: what its own segments
 * are timed against. Sound is cut a little off the picture, and has to stay there.
 */
export function clockTicks(span: Span, from: number, { timescale }: SegmentTimes): number {
  return Math.round((span.times.startTicks(from) * timescale) / span.times.timescale)
}

/** The times of a slot's segments: the rendition's own, or the clock's where a text slot has nothing. */
export function timesOf(span: Span, rendition: Rendition | null): SegmentTimes {
  return rendition ? segmentTimes(rendition) : span.times
}

/** The thumbnails that a window can show: those of a whole film. Pieces would need tiles that are cut like them. */
export function tilesOf({ kind, timeline: { spans } }: Window): ThumbnailTiles | null {
  const [first] = spans
  return kind === 'whole' && spans.length === 1 && first?.firstSegment === 0
    ? first.trackSet.thumbnails
    : null
}

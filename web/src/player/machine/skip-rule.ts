import { type Segments, segmentAt } from '../content/segments.ts'

/** The offer of the skip button. */
export interface Skip {
  kind: 'intro' | 'credits' | 'other'
  label: string
  /** Target position, in seconds. */
  to: number
}

/**
 * Returns the offer of the skip button at `position`: during the intro; during the credits, if there is no
 * next asset; during any other segment (V4-41). Chapters cannot be skipped.
 */
export function skipAt(segments: Segments, position: number, hasNext: boolean): Skip | undefined {
  const intro = segmentAt(segments.intro, position)
  if (intro !== undefined) return { kind: 'intro', label: intro.label, to: intro.end }
  const credits = hasNext ? undefined : segmentAt(segments.credits, position)
  if (credits !== undefined) return { kind: 'credits', label: credits.label, to: credits.end }
  const other = segmentAt(segments.other, position)
  return other && { kind: 'other', label: other.label, to: other.end }
}

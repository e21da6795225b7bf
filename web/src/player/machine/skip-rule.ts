import { type Segments, segmentAt } from '../content/segments.ts'

/** The named range that the skip button offers to skip. */
export interface Skip {
  kind: 'intro' | 'credits' | 'other'
  label: string
  /** Target position, in seconds. */
  to: number
}

/**
 * Returns what the skip button offers at `position` (V4-41). The viewer can skip the intro, the credits if there
 * is no next asset, and any other named range except chapters.
 */
export function skipAt(segments: Segments, position: number, hasNext: boolean): Skip | undefined {
  const intro = segmentAt(segments.intro, position)
  if (intro !== undefined) return { kind: 'intro', label: intro.label, to: intro.end }
  const credits = hasNext ? undefined : segmentAt(segments.credits, position)
  if (credits !== undefined) return { kind: 'credits', label: credits.label, to: credits.end }
  const other = segmentAt(segments.other, position)
  return other && { kind: 'other', label: other.label, to: other.end }
}

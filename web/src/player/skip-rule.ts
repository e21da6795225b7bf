import { type Segments, segmentAt } from './segments.ts'

/** What the skip button offers. */
export interface Skip {
  kind: 'intro' | 'credits' | 'other'
  label: string
  /** Where it leads, in seconds. */
  to: number
}

/**
 * The skip button at `position`: in the intro until its end; in the credits from their start if nothing comes next; in
 * any other segment while inside (V4-41). Chapters are places, not things to skip.
 */
export function skipAt(segments: Segments, position: number, hasNext: boolean): Skip | undefined {
  const intro = segmentAt(segments.intro, position)
  if (intro !== undefined) return { kind: 'intro', label: intro.label, to: intro.end }
  const credits = hasNext ? undefined : segmentAt(segments.credits, position)
  if (credits !== undefined) return { kind: 'credits', label: credits.label, to: credits.end }
  const other = segmentAt(segments.other, position)
  return other && { kind: 'other', label: other.label, to: other.end }
}

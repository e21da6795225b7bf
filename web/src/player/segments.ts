import type { Tag } from '@ondine/contract/playback'

/** A named stretch of an asset, in seconds (V3-31). */
export interface Segment {
  label: string
  start: number
  end: number
}

/** The marks of an asset, split by what they are and ordered by time (V3-29, V3-31). */
export interface Segments {
  intro: Segment[]
  credits: Segment[]
  chapters: Segment[]
  other: Segment[]
}

export const NO_SEGMENTS: Segments = { intro: [], credits: [], chapters: [], other: [] }

/** Groups the marks of an asset by what they are, in order of time (V3-29). */
export function groupTags(tags: readonly Tag[]): Segments {
  const sorted = tags.toSorted((a, b) => a.timestamp - b.timestamp)
  const of = (type: Tag['type']) =>
    sorted
      .filter((tag) => tag.type === type)
      .map(({ label, timestamp, end }) => ({ label, start: timestamp, end }))
  return { intro: of('intro'), credits: of('credit'), chapters: of('chapter'), other: of('other') }
}

/** The segment that `position` lies in; the start belongs to it, the end does not. */
export function segmentAt(segments: readonly Segment[], position: number): Segment | undefined {
  return segments.find(({ start, end }) => position >= start && position < end)
}

/** The chapter that `position` lies in, which is the last one that has begun. */
export function chapterAt(chapters: readonly Segment[], position: number): Segment | undefined {
  return chapters.findLast(({ start }) => position >= start)
}

/** `position`, or the start of a chapter that lies within `reach` of it: a finger is less exact than a pointer (V9-02). */
export function snapToChapter(position: number, chapters: readonly Segment[], reach: number): number {
  return chapters.find(({ start }) => Math.abs(start - position) <= reach)?.start ?? position
}

/** Within so many seconds after a mark, going back leads to the mark before it. */
const JUST_BEGUN_SECONDS = 3

/** Where the next mark begins, or the one before; undefined where there is none. */
export function markBeside(marks: readonly Segment[], position: number, step: 1 | -1): number | undefined {
  if (step === 1) return marks.find(({ start }) => start > position)?.start
  return marks.findLast(({ start }) => start < position - JUST_BEGUN_SECONDS)?.start
}

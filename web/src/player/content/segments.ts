import type { OutputOf } from '@ondine/contract/operation'
import type { listAssetTags, Tag } from '@ondine/contract/playback'

/** A named range of an asset, such as the intro or a chapter, in seconds (V3-31). */
export interface Segment {
  label: string
  start: number
  end: number
}

/** The named ranges of an asset by type, in order of time (V3-29, V3-31). */
export interface Segments {
  intro: Segment[]
  credits: Segment[]
  chapters: Segment[]
  other: Segment[]
}

export const NO_SEGMENTS: Segments = { intro: [], credits: [], chapters: [], other: [] }

/** Converts the tags of an asset to named ranges by type, in order of time (V3-29). */
export function groupTags({ tags, chapters }: OutputOf<typeof listAssetTags>): Segments {
  const sorted = [...tags.filter(({ type }) => type !== 'chapter'), ...chapters].toSorted(
    (a, b) => a.timestamp - b.timestamp,
  )
  const of = (type: Tag['type']) =>
    sorted
      .filter((tag) => tag.type === type)
      .map(({ label, timestamp, end }) => ({ label, start: timestamp, end }))
  return { intro: of('intro'), credits: of('credit'), chapters: of('chapter'), other: of('other') }
}

/** Moves all named ranges by `offset`, for a stream in which the asset begins at `offset` seconds. */
export function shifted(segments: Segments, offset: number): Segments {
  const move = (moved: readonly Segment[]) =>
    moved.map(({ label, start, end }) => ({ label, start: start + offset, end: end + offset }))
  return {
    intro: move(segments.intro),
    credits: move(segments.credits),
    chapters: move(segments.chapters),
    other: move(segments.other),
  }
}

/** Returns the named range at `position`. A range includes its start and excludes its end. */
export function segmentAt(segments: readonly Segment[], position: number): Segment | undefined {
  return segments.find(({ start, end }) => position >= start && position < end)
}

/** Returns the chapter at `position`: the last chapter that begins at or before `position`. */
export function chapterAt(chapters: readonly Segment[], position: number): Segment | undefined {
  return chapters.findLast(({ start }) => position >= start)
}

/**
 * Returns the start of the chapter within `reach` seconds of `position`, or `position` without such a chapter
 * (V9-02). The reach is larger for touch, which is less precise than a mouse.
 */
export function snapToChapter(position: number, chapters: readonly Segment[], reach: number): number {
  return chapters.find(({ start }) => Math.abs(start - position) <= reach)?.start ?? position
}

/**
 * A step back within this time after the start of a mark (a chapter, or a film of a block) leads to the previous
 * mark.
 */
const JUST_BEGUN_SECONDS = 3

/**
 * Returns the start of the next or previous of `marks`, such as chapters; undefined if there is none in that
 * direction.
 */
export function markBeside(marks: readonly Segment[], position: number, step: 1 | -1): number | undefined {
  if (step === 1) return marks.find(({ start }) => start > position)?.start
  return marks.findLast(({ start }) => start < position - JUST_BEGUN_SECONDS)?.start
}

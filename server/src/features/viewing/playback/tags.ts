import type { Tag } from '@ondine/contract/playback'
import type { Mark } from '../../inventory/titles/titles.table.ts'

/**
 * Presents the chapters of an asset in one list, and its other marks in another list, both in order of time
 * (V3-29). A chapter ends where the next chapter starts. If an asset has an intro but no chapter at 0, a chapter
 * at 0 is added, with the label of the earliest intro (V3-30).
 */
export function presentTags(
  marks: readonly Mark[],
  durationSeconds: number,
): { tags: Tag[]; chapters: Tag[] } {
  const sorted = marks.map(presentTag).sort((a, b) => a.timestamp - b.timestamp)
  const tags = sorted.filter(({ type }) => type !== 'chapter')
  const chapters = sorted.filter(({ type }) => type === 'chapter')
  const intro = tags.find(({ type }) => type === 'intro')
  if (intro && chapters[0]?.timestamp !== 0) {
    chapters.unshift({ type: 'chapter', timestamp: 0, end: durationSeconds, label: intro.label })
  }
  return {
    tags,
    chapters: chapters.map((chapter, index) => ({
      ...chapter,
      end: chapters[index + 1]?.timestamp ?? Math.max(durationSeconds, chapter.timestamp),
    })),
  }
}

function presentTag({ type, start, end, label }: Mark): Tag {
  return { type, timestamp: start, end, label }
}

import type { Chapter } from '../../../ingest/probe.ts'
import type { Mark } from '../../inventory/titles/titles.table.ts'
import { oneLine } from './video-names.ts'

const INTRO = /^(?:intro(?:duction)?|opening|opening credits|op|générique(?: de début)?)$/i
const CREDITS = /^(?:credits?|end credits|closing credits|ending|ed|outro|générique de fin)$/i

/**
 * Converts a film's chapters into marks (V3-29). Chapters named intro or credits become marks that viewers can
 * skip. A chapter named "générique" is an intro in the first half of the film, and credits in the second half.
 */
export function chapterMarks(chapters: readonly Chapter[], durationSeconds: number): Mark[] {
  return chapters
    .filter(({ startSeconds, endSeconds }) => startSeconds < durationSeconds && endSeconds > startSeconds)
    .map(({ startSeconds, endSeconds, title }, index): Mark => {
      const label = oneLine(title, 100)
      const late = startSeconds > durationSeconds / 2
      const type =
        CREDITS.test(label) || (late && /^générique$/i.test(label))
          ? 'credit'
          : INTRO.test(label)
            ? 'intro'
            : 'chapter'
      return {
        type,
        start: startSeconds,
        end: Math.min(endSeconds, durationSeconds),
        label: label === '' ? `${index + 1}` : label,
      }
    })
}

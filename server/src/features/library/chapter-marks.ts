import type { Chapter } from '../../ingest/probe.ts'
import type { Mark } from '../catalogue/catalogue.table.ts'
import { oneLine } from './video-names.ts'

const INTRO = /^(?:intro(?:duction)?|opening|opening credits|op|générique(?: de début)?)$/i
const CREDITS = /^(?:credits?|end credits|closing credits|ending|ed|outro|générique de fin)$/i

/**
 * The marks that a film's chapters make (V3-29): what is called intro or credits can be skipped, everything else stays a
 * chapter. A générique in the first half opens, one in the second half closes.
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

import type { Tag } from '@ondine/contract/playback'
import { expect, test } from 'vitest'
import { chapterAt, groupTags, markBeside, segmentAt, snapToChapter } from './segments.ts'

const answer: { tags: Tag[]; chapters: Tag[] } = {
  tags: [
    { type: 'credit', timestamp: 90, end: 100, label: 'Générique' },
    { type: 'intro', timestamp: 5, end: 20, label: 'Intro' },
    { type: 'other', timestamp: 60, end: 70, label: 'Résumé' },
  ],
  chapters: [
    { type: 'chapter', timestamp: 40, end: 90, label: 'Le phare' },
    { type: 'chapter', timestamp: 0, end: 40, label: 'Le départ' },
  ],
}

test('V3-29 sorts tags by time and splits them into intro, credits and chapters', () => {
  const { intro, credits, chapters, other } = groupTags(answer)
  expect(intro).toEqual([{ label: 'Intro', start: 5, end: 20 }])
  expect(credits).toEqual([{ label: 'Générique', start: 90, end: 100 }])
  expect(chapters.map(({ label }) => label)).toEqual(['Le départ', 'Le phare'])
  expect(other.map(({ label }) => label)).toEqual(['Résumé'])
})

test('V3-31 a segment includes its start and excludes its end', () => {
  const { intro } = groupTags(answer)
  expect(segmentAt(intro, 4.99)).toBeUndefined()
  expect(segmentAt(intro, 5)?.label).toBe('Intro')
  expect(segmentAt(intro, 19.99)?.label).toBe('Intro')
  expect(segmentAt(intro, 20)).toBeUndefined()
})

test('a chapter lasts until the next one begins, the last one to the end', () => {
  const { chapters } = groupTags(answer)
  expect(chapterAt(chapters, 39.9)?.label).toBe('Le départ')
  expect(chapterAt(chapters, 40)?.label).toBe('Le phare')
  expect(chapterAt(chapters, 99)?.label).toBe('Le phare')
  expect(chapterAt([], 10)).toBeUndefined()
})

test('V9-02 a touch within reach of a chapter snaps to its start', () => {
  const { chapters } = groupTags(answer)
  expect(snapToChapter(41.5, chapters, 2)).toBe(40)
  expect(snapToChapter(38.5, chapters, 2)).toBe(40)
  expect(snapToChapter(43, chapters, 2)).toBe(43)
})

test('seeks to the next and the previous mark; just after a mark, back leads to the one before it', () => {
  const marks = [0, 60, 120].map((start) => ({ label: '', start, end: start + 60 }))
  expect(markBeside(marks, 30, 1)).toBe(60)
  expect(markBeside(marks, 60, 1)).toBe(120)
  expect(markBeside(marks, 130, 1)).toBeUndefined()
  expect(markBeside(marks, 90, -1)).toBe(60)
  expect(markBeside(marks, 62, -1)).toBe(0)
  expect(markBeside(marks, 1, -1)).toBeUndefined()
  expect(markBeside([], 10, 1)).toBeUndefined()
})

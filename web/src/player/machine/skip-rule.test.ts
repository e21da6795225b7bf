import { expect, test } from 'vitest'
import { NO_SEGMENTS, type Segments } from '../content/segments.ts'
import { skipAt } from './skip-rule.ts'

const segments: Segments = {
  intro: [{ label: 'Intro', start: 5, end: 20 }],
  credits: [{ label: 'Générique', start: 90, end: 100 }],
  other: [{ label: 'Résumé', start: 30, end: 40 }],
  chapters: [{ label: 'Chapitre', start: 0, end: 100 }],
}

test('V4-41 offers to skip the intro until its end', () => {
  expect(skipAt(segments, 4.9, true)).toBeUndefined()
  expect(skipAt(segments, 5, true)).toEqual({ kind: 'intro', label: 'Intro', to: 20 })
  expect(skipAt(segments, 20, true)).toBeUndefined()
})

test('V4-41 offers to skip the credits from their start, only without a next asset', () => {
  expect(skipAt(segments, 92, false)).toEqual({ kind: 'credits', label: 'Générique', to: 100 })
  expect(skipAt(segments, 92, true)).toBeUndefined()
})

test('V4-41 offers to skip any other segment while inside it', () => {
  expect(skipAt(segments, 35, true)).toEqual({ kind: 'other', label: 'Résumé', to: 40 })
  expect(skipAt(segments, 40, true)).toBeUndefined()
})

test('offers nothing in chapters and unmarked ranges', () => {
  expect(skipAt(segments, 60, false)).toBeUndefined()
  expect(skipAt(NO_SEGMENTS, 5, false)).toBeUndefined()
})

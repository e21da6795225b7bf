import { expect, test } from 'vitest'
import { readRecent, recentKey, withoutSearch, withSearch } from './recent-searches.ts'

const NOW = Date.UTC(2026, 0, 15)
const DAY = 86_400_000
const terms = (stored: string | null, now = NOW) => readRecent(stored, now).map(({ term }) => term)

test('the last search comes first, and equal searches only once', () => {
  let stored = withSearch(null, 'houle', NOW, 6)
  stored = withSearch(stored, 'apogée', NOW, 6)
  stored = withSearch(stored, 'houle', NOW, 6)
  expect(terms(stored)).toEqual(['houle', 'apogée'])
  expect(terms(withSearch(stored, 'encre', NOW, 2))).toEqual(['encre', 'houle'])
})

test('forgets a search after 30 days, or when it is removed', () => {
  const stored = withSearch(withSearch(null, 'houle', NOW, 6), 'encre', NOW + DAY, 6)
  expect(terms(stored, NOW + 30 * DAY - 1)).toEqual(['encre', 'houle'])
  expect(terms(stored, NOW + 30 * DAY)).toEqual(['encre'])
  expect(terms(withoutSearch(stored, 'encre', NOW + DAY), NOW + DAY)).toEqual(['houle'])
})

test('each profile has its own searches', () => {
  expect(new Set([recentKey(undefined), recentKey(1), recentKey(2)]).size).toBe(3)
})

test.each([
  null,
  '',
  '{',
  'null',
  '"houle"',
  '[1, null, {"term": 3}]',
  '[{"term":"","at":1}]',
  `[{"term":"houle","at":${NOW + DAY}}]`,
  `[{"term":"${'x'.repeat(41)}","at":${NOW}}]`,
])('%j contains no search', (stored) => {
  expect(readRecent(stored, NOW)).toEqual([])
})

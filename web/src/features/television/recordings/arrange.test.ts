import { expect, test } from 'vitest'
import { type Arranged, arrange, type RecordingOrder } from './arrange.ts'

const recording = (id: number, title: string, more: Partial<Arranged> = {}): Arranged => ({
  id,
  title,
  subtitle: '',
  season: null,
  episode: null,
  startutc: id * 1000,
  duration: 60,
  ...more,
})
const ALL = [
  recording(1, 'Récif', { duration: 500 }),
  recording(2, 'Le Métier', { season: 1, episode: 2, duration: 200 }),
  recording(3, 'Encre', { duration: 100 }),
  recording(4, 'Le Métier', { season: 1, episode: 1, duration: 400 }),
]

function ids(order: RecordingOrder, isAscending = false): number[][] {
  return arrange(ALL, order, { isAscending, language: 'fra' }).map(({ recordings }) =>
    recordings.map(({ id }) => id),
  )
}

test('the latest recording comes first, and its series with it', () => {
  expect(ids('date')).toEqual([[4, 2], [3], [1]])
})

test('in a plan, the next recording comes first', () => {
  expect(ids('date', true)).toEqual([[1], [2, 4], [3]])
})

test('by title, a series is in the order of its episodes', () => {
  expect(ids('title')).toEqual([[3], [4, 2], [1]])
})

test('by length, the whole series counts', () => {
  expect(ids('length')).toEqual([[4, 2], [1], [3]])
  expect(arrange(ALL, 'length', { isAscending: false, language: 'fra' })[0]?.duration).toBe(600)
})

test('letters with accents are sorted as in the language', () => {
  const titles = ['Zone', 'Été', 'Encre', 'étoile'].map((title, index) => recording(index, title))
  const sorted = arrange(titles, 'title', { isAscending: false, language: 'fra' })
  expect(sorted.map(({ title }) => title)).toEqual(['Encre', 'Été', 'étoile', 'Zone'])
  const swedish = ['Ånger', 'Zon', 'Alm'].map((title, index) => recording(index, title))
  expect(
    arrange(swedish, 'title', { isAscending: false, language: 'swe' }).map(({ title }) => title),
  ).toEqual(['Alm', 'Zon', 'Ånger'])
})

test('an empty list has no groups', () => {
  expect(arrange([], 'date', { isAscending: true, language: 'eng' })).toEqual([])
})

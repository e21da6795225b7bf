import { expect, test } from 'vitest'
import {
  dateAttribute,
  dateText,
  dayText,
  defaultDateFormat,
  lastMonthText,
  weekdayText,
  yearText,
} from './dates.ts'

/** Monday 5 January 2026, 23:30 in Paris. */
const EVENING = Date.UTC(2026, 0, 5, 22, 30) / 1000
const PARIS = { language: 'fra', timeZone: 'Europe/Paris' } as const
const LONDON = { language: 'eng', timeZone: 'Europe/London' } as const

test('V3-51 without a configured format fra has YYYY-MM-DD, and the others YYYY-DD-MM', () => {
  expect(dateText(EVENING, PARIS)).toBe('2026-01-05')
  expect(dateText(EVENING, LONDON)).toBe('2026-05-01')
  expect(dateText(EVENING, { ...PARIS, dateFormat: undefined })).toBe('2026-01-05')
  expect(['eng', 'deu', 'ara', 'jpn'].map((code) => defaultDateFormat(code as 'eng'))).toEqual(
    Array(4).fill('YYYY-DD-MM'),
  )
})

test.each([
  ['DD/MM/YYYY', '05/01/2026'],
  ['D/M/YY', '5/1/26'],
  ['dddd D MMMM YYYY', 'lundi 5 janvier 2026'],
  ['ddd DD MMM', 'lun. 05 janv.'],
  ['[le] D MMMM', 'le 5 janvier'],
  ['[Day] D', 'Day 5'],
  ['MMMMM', 'janvier1'],
  ['…', '…'],
  ['<b>DD</b>', '<b>05</b>'],
])('V3-51 the configured format %s', (dateFormat, text) => {
  expect(dateText(EVENING, { ...PARIS, dateFormat })).toBe(text)
})

test.each([
  [1, 'D MMMM YYYY', '1er janvier 2026'],
  [2, 'D MMMM YYYY', '2 janvier 2026'],
  [11, 'D MMMM YYYY', '11 janvier 2026'],
  [21, 'D MMMM YYYY', '21 janvier 2026'],
  [1, 'ddd D MMM', 'jeu. 1er janv.'],
  [1, 'DD MMMM', '01 janvier'],
  [1, 'D/M/YYYY', '1/1/2026'],
  [1, '[le] D', 'le 1'],
])('V3-51 day %i in the format %s is written in French as: %s', (day, dateFormat, text) => {
  expect(dayText(Date.UTC(2026, 0, day) / 1000, { ...PARIS, dateFormat })).toBe(text)
})

test('V3-51 other languages write the first day of a month as its number', () => {
  const first = Date.UTC(2026, 0, 1) / 1000
  expect(dayText(first, { ...LONDON, dateFormat: 'D MMMM YYYY' })).toBe('1 January 2026')
})

test('V3-51 names of months and days are in the language, inflected where it requires that', () => {
  expect(dateText(EVENING, { ...LONDON, dateFormat: 'DD MMM YYYY' })).toBe('05 Jan 2026')
  const polish = { language: 'pol', timeZone: 'UTC', dateFormat: 'D MMMM' } as const
  expect(dateText(EVENING, polish)).toBe('5 stycznia')
})

test('a date depends on the time zone; a day without an hour is the same everywhere', () => {
  const auckland = { ...PARIS, timeZone: 'Pacific/Auckland' }
  expect(dateText(EVENING, auckland)).toBe('2026-01-06')
  expect(dayText(Date.UTC(2026, 0, 5) / 1000, { ...PARIS, timeZone: 'America/Los_Angeles' })).toBe(
    '2026-01-05',
  )
  expect(dateAttribute(EVENING)).toBe('2026-01-05')
  expect(yearText(Date.UTC(2026, 11, 31, 23, 30) / 1000, PARIS)).toBe('2027')
})

test('days of the week in short', () => {
  expect(weekdayText(EVENING, PARIS)).toBe('lun.')
  expect(weekdayText(EVENING, LONDON)).toBe('Mon')
})

test('a payment card is valid until the end of its month', () => {
  expect(lastMonthText(Date.UTC(2030, 9, 1) / 1000)).toBe('09/2030')
  expect(lastMonthText(Date.UTC(2031, 0, 1) / 1000)).toBe('12/2030')
  expect(lastMonthText(Date.UTC(2030, 8, 21) / 1000)).toBe('09/2030')
})

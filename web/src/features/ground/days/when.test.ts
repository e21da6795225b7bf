import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { showingText } from '../../viewing/search/showing-text.ts'
import { beginningText, momentText, whenText } from './showing-when.ts'
import { dayName, dayOfShowing, newDay, spanText } from './when.ts'

const { t: fr } = bundledWords('fra')
const { t: en } = bundledWords('eng')
const paris = { language: 'fra', timeZone: 'Europe/Paris' } as const
const at = (text: string) => Date.parse(text) / 1000
const fold = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')

test.each([
  // One second before midnight, a programme that begins at midnight is labelled as tomorrow's.
  ['2026-11-22T23:59:59+01:00', '2026-11-23T00:00:00+01:00', 'Demain, 00:00'],
  ['2026-11-22T23:59:59+01:00', '2026-11-22T00:00:00+01:00', 'Aujourd’hui, 00:00'],
  ['2026-11-22T23:59:59+01:00', '2026-11-23T23:59:59+01:00', 'Demain, 23:59'],
  ['2026-11-22T23:59:59+01:00', '2026-11-24T00:00:00+01:00', 'Mardi 24 novembre, 00:00'],
  // At midnight the new day begins, so every label changes.
  ['2026-11-23T00:00:00+01:00', '2026-11-23T00:00:00+01:00', 'Aujourd’hui, 00:00'],
  ['2026-11-23T00:00:00+01:00', '2026-11-22T23:59:59+01:00', 'Hier, 23:59'],
  ['2026-11-23T00:00:00+01:00', '2026-11-24T23:59:59+01:00', 'Demain, 23:59'],
  ['2026-11-23T00:00:00+01:00', '2026-11-21T23:00:00+01:00', 'Samedi 21 novembre, 23:00'],
  // The label is also right at the end of a year, and on days of 23 and 25 hours.
  ['2026-12-31T20:00:00+01:00', '2027-01-01T20:00:00+01:00', 'Demain, 20:00'],
  ['2026-03-28T23:30:00+01:00', '2026-03-29T23:30:00+02:00', 'Demain, 23:30'],
  ['2026-03-28T23:30:00+01:00', '2026-03-30T00:15:00+02:00', 'Lundi 30 mars, 00:15'],
  ['2026-10-24T00:30:00+02:00', '2026-10-25T23:30:00+01:00', 'Demain, 23:30'],
  ['2026-10-25T00:00:00+02:00', '2026-10-25T23:59:00+01:00', 'Aujourd’hui, 23:59'],
])('at %s the start %s is shown as: %s', (now, begins, text) => {
  expect(fold(beginningText(at(begins), at(now), paris, fr))).toBe(text)
})

test('within a sentence, a start has no capital letter, except that of a language', () => {
  const now = at('2026-11-22T20:00:00+01:00')
  const of = (begins: string, language: 'fra' | 'eng') =>
    fold(momentText(at(begins), now, { ...paris, language }, language === 'fra' ? fr : en))
  expect(of('2026-11-23T20:50:00+01:00', 'fra')).toBe('demain, 20:50')
  expect(of('2026-11-23T20:50:00+01:00', 'eng')).toBe('tomorrow, 20:50')
  expect(of('2026-11-26T20:50:00+01:00', 'fra')).toBe('jeudi 26 novembre, 20:50')
  expect(of('2026-11-26T20:50:00+01:00', 'eng')).toBe('Thursday 26 November, 20:50')
})

test('the day follows the time zone of the viewer', () => {
  const now = at('2026-11-22T23:30:00Z')
  const begins = at('2026-11-23T04:30:00Z')
  const of = (timeZone: string) => beginningText(begins, now, { language: 'eng', timeZone }, en)
  expect(of('Europe/London')).toBe('Tomorrow, 04:30')
  expect(of('Europe/Paris')).toBe('Today, 05:30')
  expect(of('America/New_York')).toBe('Today, 23:30')
  expect(of('America/Halifax')).toBe('Tomorrow, 00:30')
  expect(of('Asia/Kathmandu')).toBe('Today, 10:15')
})

test('a distant day has a short name where room is short', () => {
  const now = at('2026-11-22T12:00:00+01:00')
  const far = at('2026-11-26T20:50:00+01:00')
  expect(fold(dayOfShowing(far, now, paris, fr, 'short'))).toBe('jeu. 26')
  expect(fold(dayOfShowing(far, now, paris, fr))).toBe('jeudi 26 novembre')
  expect(dayOfShowing(now, now, paris, fr, 'short')).toBe('Aujourd’hui')
  expect(dayOfShowing(far, now, { ...paris, language: 'eng' }, en, 'short')).toBe('Thu 26')
})

test('the first day of a month is an ordinal in French, before the name of the month', () => {
  const of = (day: string, width?: 'short', language: 'fra' | 'eng' = 'fra') =>
    fold(dayName(at(`${day}T12:00:00+01:00`), { ...paris, language }, width))
  expect(of('2026-11-01')).toBe('dimanche 1er novembre')
  expect(of('2026-11-02')).toBe('lundi 2 novembre')
  expect(of('2026-11-21')).toBe('samedi 21 novembre')
  expect(of('2026-11-01', 'short')).toBe('dim. 1')
  expect(of('2026-11-01', undefined, 'eng')).toBe('Sunday 1 November')
})

test('V3-33 a showing of a search result has its date from a week on', () => {
  const now = at('2026-11-22T12:00:00+01:00')
  const of = (begins: string, language: 'fra' | 'eng' = 'fra') =>
    fold(showingText(at(begins), now, { ...paris, language }))
  expect(of('2026-11-22T23:00:00+01:00')).toBe('23:00')
  expect(of('2026-11-23T00:00:00+01:00')).toBe('lun. 00:00')
  expect(of('2026-11-28T23:59:00+01:00')).toBe('sam. 23:59')
  expect(of('2026-11-29T00:00:00+01:00')).toBe('dim. 29 nov., 00:00')
  expect(of('2026-12-01T20:50:00+01:00')).toBe('mar. 1er déc., 20:50')
  expect(of('2026-12-31T20:50:00+01:00')).toBe('jeu. 31 déc., 20:50')
  expect(of('2026-12-31T20:50:00+01:00', 'eng')).toBe('Thu 31 Dec, 20:50')
})

test.each([
  ['a day', '2026-11-22T00:00:00+01:00', '2026-11-23T00:00:00+01:00', 'Toute la journée'],
  ['a day of 23 hours', '2026-03-29T00:00:00+01:00', '2026-03-30T00:00:00+02:00', 'Toute la journée'],
  ['a day of 25 hours', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 'Toute la journée'],
  ['a minute less', '2026-11-22T00:00:00+01:00', '2026-11-22T23:59:00+01:00', '00:00 – 23:59'],
  ['24 hours of two days', '2026-11-22T06:00:00+01:00', '2026-11-23T06:00:00+01:00', '06:00 – 06:00'],
  ['two days', '2026-11-22T00:00:00+01:00', '2026-11-24T00:00:00+01:00', '00:00 – 00:00'],
  ['an evening', '2026-11-22T20:50:00+01:00', '2026-11-22T22:35:00+01:00', '20:50 – 22:35'],
])('%s from %s to %s is shown as: %s', (_, start, end, text) => {
  expect(spanText(at(start), at(end), paris, fr)).toBe(text)
})

test('the day and the time form one text', () => {
  const [start, end] = [at('2026-11-23T00:00:00+01:00'), at('2026-11-24T00:00:00+01:00')]
  const now = at('2026-11-22T12:00:00+01:00')
  expect(whenText(start, end, now, paris, fr)).toBe('Demain, toute la journée')
  expect(whenText(start, start + 5400, now, paris, fr)).toBe('Demain, 00:00 – 01:30')
  expect(whenText(start, end, now, { ...paris, language: 'eng' }, en)).toBe('Tomorrow, all day')
})

test('in a list of times the first programme of another day names the day', () => {
  const now = at('2026-11-22T21:00:00+01:00')
  const times = ['22T21:00', '22T23:50', '23T00:20', '23T06:00', '24T00:10'].map((time) => ({
    startutc: at(`2026-11-${time}:00+01:00`),
  }))
  const days = times.map((time, index) => newDay(time, times[index - 1] ?? { startutc: now }, now, paris, fr))
  expect(days.map((day) => day && fold(day))).toEqual([undefined, undefined, 'Demain', undefined, 'mar. 24'])
})

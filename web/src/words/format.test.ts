import { LEVEL_AGES } from '@ondine/contract/constants'
import { expect, test } from 'vitest'
import { bundledWords } from './bundled-words.ts'
import {
  durationText,
  languageNames,
  languageTags,
  languageTitle,
  lengthText,
  maturityText,
  positionText,
  rangeLengthText,
  scoreText,
  secondsText,
  timeRangeText,
} from './format.ts'

const { t: fr } = bundledWords('fra')
const { t: en } = bundledWords('eng')

test.each([
  [108, '1 h 48'],
  [52, '52 min'],
  [60, '1 h'],
  [120, '2 h'],
  [61, '1 h 01'],
  [59.6, '1 h'],
  [0.4, '1 min'],
  [0, '0 min'],
])('V9-17 %d minutes in hours and minutes', (minutes, text) => {
  expect(durationText(minutes, fr)).toBe(text)
})

test.each([
  [12, '12 s'],
  [47.2, '48 s'],
  [59.5, '1 min'],
  [60, '1 min'],
  [5400, '1 h 30'],
  [0, '0 min'],
])('a length of %d seconds is %s', (seconds, text) => {
  expect(lengthText(seconds, fr)).toBe(text)
})

test('V9-17 seconds are shown in minutes, as one minute or more', () => {
  expect(secondsText(90, fr)).toBe('2 min')
  expect(secondsText(20, en)).toBe('1 min')
})

test.each([
  [0, '0:00'],
  [760, '12:40'],
  [3730, '1:02:10'],
  [59.9, '0:59'],
  [-5, '0:00'],
])('the position %d', (seconds, text) => {
  expect(positionText(seconds)).toBe(text)
})

test.each([
  [0, 'Tous publics', 'All public'],
  [1, 'À partir de 7 ans', 'Suitable for ages 7 +'],
  [2, 'À partir de 10 ans', 'Suitable for ages 10 +'],
  [6, 'À partir de 18 ans', 'Suitable for ages 18 +'],
])('V9-16 maturity level %d', (level, french, english) => {
  expect(maturityText(level, LEVEL_AGES, fr).text).toBe(french)
  expect(maturityText(level, LEVEL_AGES, en).text).toBe(english)
})

test('V9-16 a badge shows a short form', () => {
  expect(maturityText(2, LEVEL_AGES, fr).short).toBe('10+')
  expect(maturityText(0, LEVEL_AGES, fr).short).toBe('TP')
})

test('languages have a name and a short form; an unknown code is kept', () => {
  expect(languageNames(['fra', 'eng'], 'fra')).toBe('français, anglais')
  expect(languageNames(['fra', 'eng'], 'eng')).toBe('English, French')
  expect(languageTitle('fra', 'fra')).toBe('Français')
  expect(languageTags(['eng', 'deu', 'fra'], 'fra')).toBe('FR, EN, DE')
  expect(languageTags(['fra', 'eng'], 'deu')).toBe('FR, EN')
  expect(languageNames(['<b>', ''], 'fra')).toBe('<b>, ')
})

test('times are in the requested zone, also across a change of clocks', () => {
  const paris = { language: 'fra', timeZone: 'Europe/Paris' } as const
  const evening = Date.UTC(2026, 10, 20, 19, 50) / 1000
  expect(timeRangeText(evening, evening + 6300, paris)).toBe('20:50 – 22:35')
  // A range that ends within its first minute shows that minute once.
  expect(timeRangeText(evening, evening + 36, paris)).toBe('20:50')
  expect(timeRangeText(evening + 50, evening + 86, paris)).toBe('20:50 – 20:51')
  // Without the direction mark, an Arabic page would show the end of the range first.
  expect(timeRangeText(evening, evening + 6300, { ...paris, language: 'ara' })).toBe('\u200F20:50 – 22:35')
  const change = Date.UTC(2026, 9, 25, 0, 30) / 1000
  expect(timeRangeText(change, change + 3600, paris)).toBe('02:30 – 02:30')
})

test.each([
  ['06:30:40', '07:30:10', '1 h'],
  ['09:00:00', '10:29:59', '1 h 29'],
  ['20:50:10', '20:50:46', '1 min'],
  ['20:50:50', '20:51:26', '1 min'],
])('the length of %s to %s matches the shown times', (from, to, text) => {
  const seconds = (time: string) => Date.parse(`2026-11-20T${time}Z`) / 1000
  expect(rangeLengthText(seconds(from), seconds(to), fr)).toBe(text)
})

test('scores with the decimal mark of the language', () => {
  expect(scoreText(4.3, 'fra')).toBe('4,3')
  expect(scoreText(4, 'eng')).toBe('4.0')
})

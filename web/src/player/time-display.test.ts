import { expect, test } from 'vitest'
import { playerTime, spokenTime } from './time-display.ts'

test('V9-03 times have hours as soon as the whole is longer than 3,600,000 ms', () => {
  expect(playerTime(1356, 2950)).toBe('22:36')
  expect(playerTime(65, 3600)).toBe('1:05')
  expect(playerTime(65, 3600.001)).toBe('0:01:05')
  expect(playerTime(3725, 5400)).toBe('1:02:05')
})

test('a position is never shown before the beginning, nor in parts of a second', () => {
  expect(playerTime(-3, 100)).toBe('0:00')
  expect(playerTime(9.99, 100)).toBe('0:09')
})

test('a position is said in words of the language', () => {
  // French binds a number to its unit by spaces that do not break.
  expect(spokenTime(1356, 'fr').replaceAll(/\s/g, ' ')).toBe('22 minutes 36 secondes')
  expect(spokenTime(3601, 'en')).toBe('1 hour 1 second')
  expect(spokenTime(0, 'en')).toBe('0 seconds')
  expect(spokenTime(120, 'en')).toBe('2 minutes')
})

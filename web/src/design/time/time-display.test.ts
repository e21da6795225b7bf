import { expect, test } from 'vitest'
import { playerTime, spokenTime } from './time-display.ts'

test('V9-03 times contain hours as soon as the duration exceeds 3,600,000 ms', () => {
  expect(playerTime(1356, 2950)).toBe('22:36')
  expect(playerTime(65, 3600)).toBe('1:05')
  expect(playerTime(65, 3600.001)).toBe('0:01:05')
  expect(playerTime(3725, 5400)).toBe('1:02:05')
})

test('a position is never below zero, and in whole seconds', () => {
  expect(playerTime(-3, 100)).toBe('0:00')
  expect(playerTime(9.99, 100)).toBe('0:09')
})

test('formats a position in words of the language', () => {
  // French uses non-breaking spaces between a number and its unit.
  expect(spokenTime(1356, 'fr').replaceAll(/\s/g, ' ')).toBe('22 minutes 36 secondes')
  expect(spokenTime(3601, 'en')).toBe('1 hour 1 second')
  expect(spokenTime(0, 'en')).toBe('0 seconds')
  expect(spokenTime(120, 'en')).toBe('2 minutes')
})

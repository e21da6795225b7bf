import { expect, test } from 'vitest'
import { codeMask, cursorInMask, digitsOnly, phoneMask } from './masks.ts'

test.each([
  ['', ''],
  ['0', '0'],
  ['061', '06 1'],
  ['0612345678', '06 12 34 56 78'],
  ['06.12.34.56.78', '06 12 34 56 78'],
  ['06 12 34 56 789', '06 12 34 56 78'],
  ['+', '+'],
  ['+33', '+33'],
  ['+33 6', '06'],
  ['+33612345678', '06 12 34 56 78'],
  ['+33 (0)6 12 34 56 78', '06 12 34 56 78'],
  ['0033612345678', '06 12 34 56 78'],
  // Numbers of other countries are not valid, but are not cut either.
  ['+32470123456', '+32 47 01 23 45 6'],
  ['0032470123456', '00 32 47 01 23 45 6'],
  ['32470123456', '32 47 01 23 45 6'],
  ['appelle-moi', ''],
  ['٠٦', ''],
])('A5-16 formats the telephone number %j as %j', (typed, written) => {
  expect(phoneMask(typed)).toBe(written)
  expect(phoneMask(written)).toBe(written)
})

test.each([['+33 6 12 34 56 78'], ['+33 (0)6 12 34 56 78'], ['0033 (0)6 12 34 56 78'], ['0033612345678']])(
  'A5-16 formats the telephone number %j while it is typed',
  (typed) => {
    const written = Array.from(typed).reduce((before, character) => phoneMask(before + character), '')
    expect(written).toBe('06 12 34 56 78')
  },
)

test.each([
  ['12a3 4', '1234'],
  ['-1.5e3', '153'],
  ['abc', ''],
])('A5-16 reduces %j to the digits %j', (typed, digits) => {
  expect(digitsOnly(typed)).toBe(digits)
})

test('limits a code to its length', () => {
  expect(codeMask(4)('25 80 9')).toBe('2580')
})

test.each([
  // A digit typed in the middle, after the second pair.
  ['06 125 34', 6, '06 12 53 4', 7],
  ['061', 3, '06 1', 4],
  ['06 12', 0, '06 12', 0],
  // The second digit of a pair was removed.
  ['06 1 34', 4, '06 13 4', 4],
  ['', 0, '', 0],
  // A plus before a number.
  ['+3 24', 1, '+32 4', 1],
])('the cursor of %j at %d moves in %j to %d', (typed, cursor, masked, at) => {
  expect(cursorInMask(typed, cursor, masked)).toBe(at)
})

import { expect, test } from 'vitest'
import { numberOf } from './notice-number.ts'

test('two notices with the same text have different numbers, so each is shown for its own time', () => {
  const first = { text: '« Encre » est supprimé.' }
  const second = { ...first }
  expect(numberOf(second)).not.toBe(numberOf(first))
  expect(numberOf(first)).toBe(numberOf(first))
})

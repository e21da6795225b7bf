import { expect, test } from 'vitest'
import { customerReference } from './customer-reference.ts'

test.each([
  [1, '00000001'],
  [42_007, '00042007'],
  [12_345_678, '12345678'],
  [123_456_789, '123456789'],
])('A3-01 the reference of account %d is %s', (id, reference) => {
  expect(customerReference(id)).toBe(reference)
  expect(Number(reference)).toBe(id)
})

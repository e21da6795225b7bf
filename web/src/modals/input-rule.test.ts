import { expect, test } from 'vitest'
import { inputFault, kept } from './input-rule.ts'

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['1', 'parentalCodeDigits'],
  ['123', 'parentalCodeDigits'],
  ['1234', undefined],
] as const)('A5-18 validates the parental code %j: %s', (value, fault) => {
  expect(inputFault('parentalCode', value)).toBe(fault)
})

test.each([
  ['12a4', '124'],
  ['12345', '1234'],
  [' 2-5 8.0', '2580'],
  ['٢٥٨٠', ''],
  ['abcd', ''],
])('A5-18 reduces the input %j of a parental code to %j', (written, digits) => {
  expect(kept('parentalCode', written)).toBe(digits)
})

test.each(['voucher', 'gift'] as const)('A5-23 accepts any %s that is not blank', (purpose) => {
  expect(kept(purpose, ' SUMMER-20 ')).toBe(' SUMMER-20 ')
  for (const nothing of ['', ' ', '\t']) expect(inputFault(purpose, nothing)).toBe('required')
  expect(inputFault(purpose, 'SUMMER-20')).toBeUndefined()
})

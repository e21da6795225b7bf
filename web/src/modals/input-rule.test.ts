import { expect, test } from 'vitest'
import { inputFault, kept } from './input-rule.ts'

test.each([
  ['', 'required'],
  ['   ', 'required'],
  ['1', 'parentalCodeDigits'],
  ['123', 'parentalCodeDigits'],
  ['1234', undefined],
] as const)('A5-18 the parental code %j: %s', (value, fault) => {
  expect(inputFault('parentalCode', value)).toBe(fault)
})

test.each([
  ['12a4', '124'],
  ['12345', '1234'],
  [' 2-5 8.0', '2580'],
  ['٢٥٨٠', ''],
  ['abcd', ''],
])('A5-18 of %j the parental code keeps %j', (written, digits) => {
  expect(kept('parentalCode', written)).toBe(digits)
})

test('a voucher is anything but nothing', () => {
  expect(kept('voucher', ' SUMMER-20 ')).toBe(' SUMMER-20 ')
  expect(inputFault('voucher', ' ')).toBe('required')
  expect(inputFault('voucher', 'SUMMER-20')).toBeUndefined()
})

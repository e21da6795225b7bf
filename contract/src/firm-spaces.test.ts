import { expect, test } from 'vitest'
import { firmNumbers, firmSpaces } from './firm-spaces.ts'

const F = '\u00A0'

test.each([
  ['Quoi ? Rien !', `Quoi${F}? Rien${F}!`],
  ['« La Houle »', `«${F}La Houle${F}»`],
  ['a plain text', 'a plain text'],
])('keeps punctuation with its word in %j', (text, firm) => {
  expect(firmSpaces(text)).toBe(firm)
})

test.each([
  ['02 00 00 00 01', `02${F}00${F}00${F}00${F}01`],
  ['10 000 €', `10${F}000${F}€`],
  ['de 9 h à 18 h', `de 9${F}h à 18${F}h`],
  ['5 minutes', '5 minutes'],
  ['en 2026 2000 personnes', 'en 2026 2000 personnes'],
  ['12 hommes', '12 hommes'],
])('prevents line breaks inside the number of %j', (text, firm) => {
  expect(firmNumbers(text)).toBe(firm)
})

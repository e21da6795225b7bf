import { expect, test } from 'vitest'
import { bundledWords } from './bundled-words.ts'
import { amountText, centsOf, moneyText } from './money.ts'

test.each([
  [1299, '12,99 €', '€12.99'],
  [0, '0,00 €', '€0.00'],
  [5, '0,05 €', '€0.05'],
  [123_456_789, '1 234 567,89 €', '€1,234,567.89'],
  [-300, '-3,00 €', '-€3.00'],
])('%d cents as a price', (cents, french, english) => {
  // Compares no-break spaces as ordinary spaces.
  expect(moneyText(cents, 'fra').replaceAll(/\s/gu, ' ')).toBe(french)
  expect(moneyText(cents, 'eng')).toBe(english)
})

test('A9-05 an amount of the API is converted to whole cents, and formatted like any other', () => {
  expect(['8.99', '0.00', '0.07', '129.90', '-8.99'].map(centsOf)).toEqual([899, 0, 7, 12_990, -899])
  expect(['3.99', '0.07', '-8.99'].map((amount) => amountText(amount, 'eng'))).toEqual([
    '€3.99',
    '€0.07',
    '-€8.99',
  ])
})

test('plurals follow the language: zero is singular in French and plural in English', () => {
  const { t: fr } = bundledWords('fra')
  const { t: en } = bundledWords('eng')
  expect([0, 1, 2].map((count) => fr('meta.episodeCount', { count }))).toEqual([
    '0 épisode',
    '1 épisode',
    '2 épisodes',
  ])
  expect([0, 1, 2].map((count) => en('meta.episodeCount', { count }))).toEqual([
    '0 episodes',
    '1 episode',
    '2 episodes',
  ])
})

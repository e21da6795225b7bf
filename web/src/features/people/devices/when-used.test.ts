import { expect, test } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { whenUsed } from './when-used.ts'

const { t: french } = bundledWords('fra')
const { t: english } = bundledWords('eng')
const paris = { language: 'fra', timeZone: 'Europe/Paris', dateFormat: 'D MMMM YYYY' } as const
const at = (text: string) => Date.parse(text) / 1000
const NOW = at('2026-11-24T00:30:00+01:00')

test.each([
  ['2026-11-24T00:05:00+01:00', 'aujourd’hui à 00:05'],
  // It is after midnight now, so a few minutes ago can be yesterday.
  ['2026-11-23T23:58:00+01:00', 'hier à 23:58'],
  ['2026-11-22T23:59:00+01:00', 'le 22 novembre 2026 à 23:59'],
  ['2025-03-02T08:00:00+01:00', 'le 2 mars 2025 à 08:00'],
])('A2.3-09 a device last used at %s shows “%s”', (used, said) => {
  expect(whenUsed(at(used), NOW, paris, french)).toBe(said)
})

test('A2.3-09 the time of day distinguishes two devices with the same name', () => {
  const [first, second] = ['2026-11-24T00:05:00+01:00', '2026-11-24T00:12:00+01:00'].map((used) =>
    whenUsed(at(used), NOW, { ...paris, language: 'eng' }, english),
  )
  expect([first, second]).toEqual(['today at 00:05', 'today at 00:12'])
})

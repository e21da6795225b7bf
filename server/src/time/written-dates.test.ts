import { expect, it } from 'vitest'
import { dateWriter } from './written-dates.ts'

it.each([
  ['fra', '2026-01-01', '1er janvier 2026'],
  ['fra', '2026-01-02', '2 janvier 2026'],
  ['fra', '2026-08-21', '21 août 2026'],
  ['fra', '2026-08-11', '11 août 2026'],
  ['eng', '2026-01-01', '1 January 2026'],
  ['eng', '2026-01-21', '21 January 2026'],
] as const)('in %s the day %s is written as: %s', (language, day, text) => {
  expect(dateWriter(language, { dateStyle: 'long', timeZone: 'UTC' })(Date.parse(day))).toBe(text)
})

it('writes a month without a day, and a moment with its day and hour', () => {
  const month = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const
  const moment = {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  } as const
  const at = Date.parse('2026-02-01T20:50:00Z')
  expect(dateWriter('fra', month)(at)).toBe('février 2026')
  expect(dateWriter('eng', month)(at)).toBe('February 2026')
  expect(dateWriter('fra', moment)(at)).toBe('dimanche 1er février à 20:50')
  expect(dateWriter('eng', moment)(at)).toMatch(/^Sunday 1 February/)
})

import { expect, test } from 'vitest'
import { periodicityOf } from './offers.ts'

test.each([
  [1, 'day', 'daily'],
  [1, 'week', 'weekly'],
  [7, 'day', 'weekly'],
  [1, 'month', 'monthly'],
  [30, 'day', 'monthly'],
  [1, 'year', 'yearly'],
  [12, 'month', 'yearly'],
  [3, 'month', 'custom'],
  [31, 'day', 'custom'],
  [2, 'year', 'custom'],
  [0, 'month', 'notImplemented'],
  [-1, 'month', 'notImplemented'],
  [Number.NaN, 'month', 'notImplemented'],
  [1, 'decade', 'notImplemented'],
  [1, '', 'notImplemented'],
])('A4.2-03 the periodicity of %d %s is %s', (period, unit, periodicity) => {
  expect(periodicityOf({ unit, period })).toBe(periodicity)
})

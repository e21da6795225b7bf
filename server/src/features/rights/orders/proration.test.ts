import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costsMorePerDay, timePaidBy, unusedCents } from './proration.ts'

const MONTHLY = { unit: 'month', period: 1 } as const
const YEARLY = { unit: 'year', period: 1 } as const
const FROM = Date.UTC(2026, 0, 1)

const period = fc.record({
  cents: fc.integer({ min: 0, max: 99_999_999 }),
  from: fc.constant(FROM),
  to: fc.integer({ min: FROM + 1000, max: FROM + 400 * 86_400_000 }),
})

describe('the unused time of a period', () => {
  it.each([
    ['half of it', 900, 30, 15, 450],
    ['all of it', 899, 30, 0, 899],
    ['nothing after its end', 899, 30, 31, 0],
    ['a part of a cent, rounded up', 100, 3, 1, 67],
  ])('is %s', (_name, cents, days, used, expected) => {
    const to = FROM + days * 86_400_000
    expect(unusedCents({ cents, from: FROM, to }, FROM + used * 86_400_000)).toBe(expected)
  })

  it('counts a second that has begun as unused', () => {
    const paid = { cents: 100, from: FROM, to: FROM + 100_000 }
    expect([1, 999, 1000].map((ms) => unusedCents(paid, FROM + ms))).toEqual([100, 100, 99])
  })

  it('never grows with time, is never more than was paid, and is whole cents', () => {
    fc.assert(
      fc.property(
        period,
        fc.integer({ min: -1000, max: 40_000_000_000 }),
        fc.nat(1_000_000_000),
        (paid, after, later) => {
          const now = unusedCents(paid, FROM + after)
          const then = unusedCents(paid, FROM + after + later)
          return Number.isSafeInteger(now) && then <= now && now <= paid.cents && then >= 0
        },
      ),
    )
  })
})

describe('time that a credit pays for', () => {
  it.each([
    ['none without credit', 0, 599, 0],
    ['a month for its price', 599, 599, 2_629_746_000],
    ['a part of a second, rounded up', 1, 2_629_747, 1000],
    ['none for a free plan', 100, 0, 0],
  ])('is %s', (_name, credit, cents, expected) => {
    expect(timePaidBy(credit, { cents, recurrence: MONTHLY })).toBe(expected)
  })
})

describe('the price per day', () => {
  it.each([
    [
      'a dearer month with a cheaper month',
      { cents: 899, recurrence: MONTHLY },
      { cents: 599, recurrence: MONTHLY },
      true,
    ],
    [
      'two months of the same price',
      { cents: 599, recurrence: MONTHLY },
      { cents: 599, recurrence: MONTHLY },
      false,
    ],
    ['a month with its year', { cents: 599, recurrence: MONTHLY }, { cents: 5990, recurrence: YEARLY }, true],
    [
      'a year with its month',
      { cents: 5990, recurrence: YEARLY },
      { cents: 599, recurrence: MONTHLY },
      false,
    ],
    [
      'a year with twelve months',
      { cents: 1200, recurrence: YEARLY },
      { cents: 100, recurrence: MONTHLY },
      false,
    ],
    [
      'a week with a month',
      { cents: 300, recurrence: { unit: 'week', period: 1 } as const },
      { cents: 1000, recurrence: MONTHLY },
      true,
    ],
  ])('compares %s: %#', (_name, one, other, expected) => {
    expect(costsMorePerDay(one, other)).toBe(expected)
  })
})

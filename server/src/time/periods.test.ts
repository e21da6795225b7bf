import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { periodsAfter } from './periods.ts'

const DAY_MS = 86_400_000
const MONTH = { unit: 'month', period: 1 } as const
const dates = (start: string, recurrence: Parameters<typeof periodsAfter>[1], counts: number[]) =>
  counts.map((count) => new Date(periodsAfter(Date.parse(start), recurrence, count)).toISOString())

describe('periods of a subscription', () => {
  it('end on the day of the month on which they began, or on the last day of the month', () => {
    expect(dates('2026-01-31T10:00:00Z', MONTH, [1, 2, 3, 12])).toEqual([
      '2026-02-28T10:00:00.000Z',
      '2026-03-31T10:00:00.000Z',
      '2026-04-30T10:00:00.000Z',
      '2027-01-31T10:00:00.000Z',
    ])
  })

  it('respect leap years', () => {
    expect(dates('2028-01-31T00:00:00Z', MONTH, [1])).toEqual(['2028-02-29T00:00:00.000Z'])
    expect(dates('2028-02-29T00:00:00Z', { unit: 'year', period: 1 }, [1, 4])).toEqual([
      '2029-02-28T00:00:00.000Z',
      '2032-02-29T00:00:00.000Z',
    ])
  })

  it('keep their length when summer time begins', () => {
    expect(dates('2026-03-15T12:00:00Z', MONTH, [1])).toEqual(['2026-04-15T12:00:00.000Z'])
    expect(dates('2026-03-28T12:00:00Z', { unit: 'day', period: 2 }, [1])).toEqual([
      '2026-03-30T12:00:00.000Z',
    ])
    expect(dates('2026-03-28T12:00:00Z', { unit: 'week', period: 2 }, [1])).toEqual([
      '2026-04-11T12:00:00.000Z',
    ])
  })

  it('follow one another without a gap, and have the length of their calendar months', () => {
    const start = fc.date({ min: new Date('2020-01-01'), max: new Date('2060-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(start, fc.integer({ min: 1, max: 12 }), fc.nat(60), (begin, period, count) => {
        const recurrence = { unit: 'month', period } as const
        const from = periodsAfter(begin.getTime(), recurrence, count)
        const days = (periodsAfter(begin.getTime(), recurrence, count + 1) - from) / DAY_MS
        expect(Number.isInteger(days)).toBe(true)
        expect(days).toBeGreaterThanOrEqual(28 * period)
        expect(days).toBeLessThanOrEqual(31 * period)
      }),
    )
  })
})

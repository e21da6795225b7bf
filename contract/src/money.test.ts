import { describe, expect, it, test } from 'vitest'
import { amount, amountText, readAmount, shareOf, vatWithin } from './money.ts'

/** The largest amount that `readAmount` accepts, in cents. */
const MOST_CENTS = 99_999_999

test.each([
  ['8.99', 899],
  ['8.9', 890],
  ['8', 800],
  ['0.05', 5],
  ['999999.99', MOST_CENTS],
])('A9-05 %s is %d cents', (written, cents) => {
  expect(readAmount(written)).toBe(cents)
})

test.each(['', '-1', '8,99', '8.999', '1e3', '0x10', ' 8', '8 €', '1000000', 'NaN', '.5', '8.', '８'])(
  'A9-05 "%s" is not an amount',
  (written) => {
    expect(readAmount(written)).toBeUndefined()
  },
)

describe('amounts', () => {
  it('A9-05 are sent with two decimals, and are read back unchanged', () => {
    expect([0, 5, 50, 899, -899, MOST_CENTS].map(amountText)).toEqual([
      '0.00',
      '0.05',
      '0.50',
      '8.99',
      '-8.99',
      '999999.99',
    ])
    for (let cents = 0; cents <= MOST_CENTS; cents += 7919) {
      expect(readAmount(amountText(cents))).toBe(cents)
      expect(amount.safeParse(amountText(-cents)).success).toBe(true)
    }
  })

  it('A9-05 are never fractions of a cent', () => {
    expect(() => amountText(8.5)).toThrow(RangeError)
    expect(() => amountText(Number.NaN)).toThrow(RangeError)
  })

  it('A9-04 have shares rounded to a cent, half a cent away from zero', () => {
    expect(shareOf(899, 2000)).toBe(180)
    expect(shareOf(1, 5000)).toBe(1)
    expect(shareOf(1, 4999)).toBe(0)
    expect(shareOf(-899, 2000)).toBe(-180)
    // Exact arithmetic gives the expected values. Floating-point numbers cannot represent some of these products.
    for (const [cents, points] of [
      [MOST_CENTS, 3333],
      [12_345_678, 1234],
      [105, 1000],
    ] as const) {
      const exact = (BigInt(cents) * BigInt(points) * 2n + 10_000n) / 20_000n
      expect(BigInt(shareOf(cents, points))).toBe(exact)
    }
  })

  it('contain VAT: the net amount and the VAT add up to the amount', () => {
    expect(vatWithin(1200, 2000)).toBe(200)
    expect(vatWithin(899, 2000)).toBe(150)
    expect(vatWithin(899, 550)).toBe(47)
    expect(vatWithin(-1200, 2000)).toBe(-200)
    expect(vatWithin(899, 0)).toBe(0)
  })
})

import { describe, expect, test } from 'vitest'
import { trialCharge } from './trial-charge.ts'

const line = (cartTrialDays: number, ...charges: [string, number][]) => ({
  cartPrice: '0.00',
  cartTrialDays,
  cartRenewals: charges.map(([priceWithVat, at]) => ({ priceWithVat, at })),
})

describe('the charge after a trial', () => {
  test('is the first charge', () => {
    expect(trialCharge([line(14, ['4.99', 1000], ['8.99', 2000])], 0)).toEqual({ cents: 499, at: 1000 })
  })

  test('is the sum of all charges on the same day, without later ones', () => {
    const lines = [line(14, ['8.99', 1000]), line(14, ['2.00', 1000]), line(30, ['5.00', 3000])]
    expect(trialCharge(lines, 0)).toEqual({ cents: 1099, at: 1000 })
  })

  test('leaves out charges of zero', () => {
    expect(trialCharge([line(14, ['0.00', 1000], ['8.99', 2000])], 0)).toEqual({ cents: 899, at: 2000 })
    expect(trialCharge([line(14, ['0.00', 1000])], 0)).toBeUndefined()
  })

  test('follows free first periods, too', () => {
    const lines = [line(0, ['0.00', 1000], ['8.99', 2000])]
    expect(trialCharge(lines, 0)).toEqual({ cents: 899, at: 2000 })
  })

  test('is none without a trial, and where a payment asks for the card anyway', () => {
    const paid = { ...line(0, ['8.99', 1000]), cartPrice: '8.99' }
    expect(trialCharge([paid], 0)).toBeUndefined()
    expect(trialCharge([line(0)], 0)).toBeUndefined()
    expect(trialCharge([], 0)).toBeUndefined()
    expect(trialCharge([line(14, ['8.99', 1000])], 100)).toBeUndefined()
  })
})

import type { PaymentMethod } from '@ondine/contract/orders'
import { describe, expect, it } from 'vitest'
import { brandName, dashboardProviders, savedMethods } from './saved-methods.ts'

const method = (rest: Partial<PaymentMethod> = {}): PaymentMethod => ({
  brandBillingProviderId: 5,
  paymentProvider: 'sandbox',
  paymentBrand: 'card',
  paymentMethod: 'new',
  label: null,
  lastUsage: null,
  hasDashboard: false,
  ...rest,
})

describe('payment methods', () => {
  it('A3-28 that are saved have a label; a new card is not among them', () => {
    const saved = method({ paymentMethod: 'saved-3', paymentBrand: 'visa', label: '•••• 4242', lastUsage: 9 })
    expect(savedMethods([saved, method()])).toEqual([saved])
    expect(savedMethods([method()])).toEqual([])
    expect(savedMethods([])).toEqual([])
  })

  it('A1-02 lead to the dashboard of each provider that has one, once', () => {
    const stripe = { brandBillingProviderId: 6, paymentProvider: 'stripe', hasDashboard: true }
    expect(dashboardProviders([method(), method(stripe), method({ ...stripe, label: '•••• 1' })])).toEqual([
      6,
    ])
    expect(dashboardProviders([method()])).toEqual([])
  })

  it.each([
    ['visa', 'Visa'],
    ['American Express', 'American Express'],
    ['', ''],
  ])('of the brand "%s" are displayed as "%s"', (brand, written) => {
    expect(brandName(brand)).toBe(written)
  })
})

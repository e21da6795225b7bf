import { OFFER_VALIDITY, type UserOffer } from '@ondine/contract/orders'
import { describe, expect, it } from 'vitest'
import { seenCart } from './cart.ts'
import { buildPlan } from './offer-builder.ts'

const line = (idOption: number, cartPrice: string, ...later: string[]): UserOffer => ({
  ...buildPlan({ idOption }),
  source: 'order',
  statusId: OFFER_VALIDITY.ordered,
  userValidityPending: true,
  inCart: true,
  cartPrice,
  cartRenewals: later.map((priceWithVat, at) => ({ priceWithVat, at })),
  cartTrialDays: 0,
  cartValidPromotions: [],
  userValidityFrom: null,
  userValidityTo: null,
})

describe('the cart in a payment request', () => {
  it('A7.1-30 A3-31 has its lines, the sum due now, and each later charge in the order of the cart', () => {
    const lines = [line(4, '4.49', '4.49', '8.99'), { ...line(6, '0.51', '2.00'), idAsset: 12 }]
    expect(seenCart({ lines, voucher: undefined })).toEqual({
      amount: '5.00',
      renewals: ['4.49', '8.99', '2.00'],
      lines: [
        { idOption: 4, idAsset: null },
        { idOption: 6, idAsset: 12 },
      ],
    })
  })

  it('A7.1-30 A4.8-02 has the amount that the voucher leaves', () => {
    const voucher = {
      code: 'HALF',
      promotions: [
        {
          item: 4,
          discountType: 'percentage' as const,
          discountValue: '50.00',
          discountVat: '0.37',
          discountedPrice: '2.24',
        },
      ],
    }
    expect(seenCart({ lines: [line(4, '4.49', '8.99')], voucher }).amount).toBe('2.24')
  })

  it('A7.1-30 has an amount of zero where nothing is due', () => {
    expect(seenCart({ lines: [line(4, '0.00')], voucher: undefined })).toEqual({
      amount: '0.00',
      renewals: [],
      lines: [{ idOption: 4, idAsset: null }],
    })
  })
})

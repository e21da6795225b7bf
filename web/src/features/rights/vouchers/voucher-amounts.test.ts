import type { Promotion } from '@ondine/contract/vouchers'
import { describe, expect, it } from 'vitest'
import { cartAmounts, promotionNumbers, promotionText } from './voucher-amounts.ts'

const promotion = (rest: Partial<Promotion> = {}): Promotion => ({
  item: 4,
  discountType: 'percentage',
  discountValue: '20.00',
  discountVat: '0.20',
  discountedPrice: '4.79',
  ...rest,
})
const line = (idOption: number, cartPrice: string | null) => ({ idOption, cartPrice })
/**
 * Replaces all kinds of spaces and minus signs by the ordinary ones, so that texts of different languages are
 * comparable.
 */
const plain = (text: string) => text.replaceAll(/\s/gu, ' ').replaceAll('−', '-')

describe('a promotion', () => {
  it('A3-30 is parsed to whole numbers', () => {
    expect(promotionNumbers(promotion({ discountValue: '12.50', discountVat: '-0.07' }))).toEqual({
      item: 4,
      discountType: 'percentage',
      discountValue: 1250,
      discountVat: -7,
      discountedPrice: 479,
    })
  })

  it.each([
    ['percentage', '20.00', '-20 %', '-20%'],
    ['percentage', '12.50', '-12,5 %', '-12.5%'],
    ['percentage', '100.00', '-100 %', '-100%'],
    ['fixed', '3.00', '-3,00 €', '-€3.00'],
    ['fixed', '0.05', '-0,05 €', '-€0.05'],
  ] as const)('A9-04 of the type %s and the value %s is displayed as %s', (discountType, value, fra, eng) => {
    const given = promotion({ discountType, discountValue: value })
    expect(plain(promotionText(given, 'fra'))).toBe(fra)
    expect(plain(promotionText(given, 'eng'))).toBe(eng)
  })
})

describe('a cart with a voucher', () => {
  it('A3-27 costs the amount that remains after the promotions of its offers', () => {
    const off = [promotion(), promotion({ item: 6, discountType: 'fixed', discountedPrice: '0.00' })]
    expect(cartAmounts([line(4, '5.99'), line(6, '3.99'), line(9, '2.00')], off)).toEqual({
      full: 1198,
      discount: 519,
      due: 679,
    })
  })

  it('costs its prices without a promotion', () => {
    expect(cartAmounts([line(4, '5.99'), line(6, null)], [])).toEqual({ full: 599, discount: 0, due: 599 })
    expect(cartAmounts([], [])).toEqual({ full: 0, discount: 0, due: 0 })
  })

  it('ignores promotions of other offers', () => {
    const off = [promotion({ item: 7, discountedPrice: '0.00' })]
    expect(cartAmounts([line(4, '5.99')], off)).toEqual({ full: 599, discount: 0, due: 599 })
  })

  it('adds cents exactly', () => {
    const lines = [line(1, '0.10'), line(2, '0.20'), line(3, '999999.99')]
    expect(cartAmounts(lines, []).due).toBe(100_000_029)
  })
})

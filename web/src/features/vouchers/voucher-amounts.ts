import type { Promotion } from '@ondine/contract/vouchers'
import type { Place } from '../../words/format.ts'
import { centsOf, moneyText } from '../../words/money.ts'
import { percentText } from '../../words/percent.ts'

/** What a voucher takes off an offer, in numbers (A3-30). */
interface PromotionNumbers {
  /** The offer, by its `idOption`. */
  item: number
  discountType: Promotion['discountType']
  /** Hundredths of a percent, or cents. */
  discountValue: number
  /** The VAT in what is taken off, in cents. */
  discountVat: number
  /** What is due now, in cents. */
  discountedPrice: number
}

/** A promotion as it travels, in numbers (A3-30). All of them are whole: amounts have two digits (A9-04). */
export function promotionNumbers(promotion: Promotion): PromotionNumbers {
  const { item, discountType, discountValue, discountVat, discountedPrice } = promotion
  return {
    item,
    discountType,
    discountValue: centsOf(discountValue),
    discountVat: centsOf(discountVat),
    discountedPrice: centsOf(discountedPrice),
  }
}

/** What a cart costs with a voucher, in cents. */
interface CartAmounts {
  /** Without the voucher. */
  full: number
  /** What the voucher takes off. */
  discount: number
  /** What is due now. */
  due: number
}

interface PricedLine {
  idOption: number
  /** Null for what is bought already. */
  cartPrice: string | null
}

/** What a cart costs now. A promotion of an offer that is not in the cart takes nothing off. */
export function cartAmounts(lines: readonly PricedLine[], promotions: readonly Promotion[]): CartAmounts {
  const numbers = promotions.map(promotionNumbers)
  let full = 0
  let due = 0
  for (const { idOption, cartPrice } of lines) {
    const price = cartPrice === null ? 0 : centsOf(cartPrice)
    full += price
    due += numbers.find(({ item }) => item === idOption)?.discountedPrice ?? price
  }
  return { full, discount: full - due, due }
}

/** What a promotion takes off, as it is written: `−20 %`, or `−3,00 €` (A9-04). */
export function promotionText(promotion: Promotion, language: Place['language']): string {
  const { discountType, discountValue } = promotionNumbers(promotion)
  return discountType === 'percentage'
    ? percentText(-discountValue, language)
    : moneyText(-discountValue, language)
}

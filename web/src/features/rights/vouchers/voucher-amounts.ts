import type { Promotion } from '@ondine/contract/vouchers'
import type { Place } from '../../../words/format.ts'
import { centsOf, moneyText } from '../../../words/money.ts'
import { percentText } from '../../../words/percent.ts'

/** The discount of a voucher on an offer, in whole numbers (A3-30). */
interface PromotionNumbers {
  /** The `idOption` of the offer. */
  item: number
  discountType: Promotion['discountType']
  /** In hundredths of a percent, or in cents, according to `discountType`. */
  discountValue: number
  /** The VAT of the discount, in cents. */
  discountVat: number
  /** The amount due now for the offer after the discount, in cents. */
  discountedPrice: number
}

/** Converts the texts of a promotion to whole numbers (A3-30). The API sends amounts with two decimals (A9-04). */
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

/** The amounts of a cart with a voucher, in cents. */
interface CartAmounts {
  /** The amount due now if the cart had no voucher. */
  full: number
  /** The voucher's discount. */
  discount: number
  /** The amount due now, with the voucher. */
  due: number
}

interface PricedLine {
  idOption: number
  /** Null for an offer that the account has already bought. */
  cartPrice: string | null
}

/**
 * Returns the amounts of a cart, with the discounts of its voucher. Ignores a discount on an offer outside of the
 * cart.
 */
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

/** Formats a discount: `−20 %`, or `−3,00 €` (A9-04). */
export function promotionText(promotion: Promotion, language: Place['language']): string {
  const { discountType, discountValue } = promotionNumbers(promotion)
  return discountType === 'percentage'
    ? percentText(-discountValue, language)
    : moneyText(-discountValue, language)
}

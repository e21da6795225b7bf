import type { UserOffer } from '@ondine/contract/orders'
import { centsOf } from '../../../words/money.ts'

/** The charge to a card when a trial or free first periods end. */
export interface TrialCharge {
  cents: number
  /** When the card is charged, in seconds since the Unix epoch. */
  at: number
}

/**
 * Returns the first charge after the trials and free first periods in a cart; undefined without such a charge. Because
 * of this charge, the cart asks for a card although nothing is due now.
 *
 * @param due amount due now, in cents
 */
export function trialCharge(
  lines: readonly Pick<UserOffer, 'cartPrice' | 'cartTrialDays' | 'cartRenewals'>[],
  due: number,
): TrialCharge | undefined {
  if (due > 0) return undefined
  const charges = lines
    .filter(
      ({ cartPrice, cartTrialDays }) => cartTrialDays > 0 || (cartPrice !== null && centsOf(cartPrice) === 0),
    )
    .flatMap(({ cartRenewals }) => cartRenewals.find(({ priceWithVat }) => centsOf(priceWithVat) > 0) ?? [])
  if (charges.length === 0) return undefined
  const at = Math.min(...charges.map((charge) => charge.at))
  const first = charges.filter((charge) => charge.at === at)
  return { at, cents: first.reduce((sum, { priceWithVat }) => sum + centsOf(priceWithVat), 0) }
}

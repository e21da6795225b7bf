import type { UserOffer } from '@ondine/contract/orders'
import { centsOf } from '../../words/money.ts'

/** What a card is charged when a trial ends. */
export interface TrialCharge {
  cents: number
  /** Seconds since the Unix epoch. */
  at: number
}

/**
 * What a card is asked for though nothing is due: the first charge after the trials of a cart. Undefined where none is charged for.
 *
 * @param due what is due now, in cents
 */
export function trialCharge(
  lines: readonly Pick<UserOffer, 'cartTrialDays' | 'cartRenewals'>[],
  due: number,
): TrialCharge | undefined {
  if (due > 0) return undefined
  const charges = lines
    .filter(({ cartTrialDays }) => cartTrialDays > 0)
    .flatMap(({ cartRenewals }) => cartRenewals.find(({ priceWithVat }) => centsOf(priceWithVat) > 0) ?? [])
  if (charges.length === 0) return undefined
  const at = Math.min(...charges.map((charge) => charge.at))
  const first = charges.filter((charge) => charge.at === at)
  return { at, cents: first.reduce((sum, { priceWithVat }) => sum + centsOf(priceWithVat), 0) }
}

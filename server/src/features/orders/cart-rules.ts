import { ServiceError } from '../../http/errors.ts'
import type { CurrentOffer } from '../offers/offer-book.ts'
import { type Holdings, planOf } from './holdings.ts'

/** An offer in a cart or an order. */
export interface Line {
  offer: CurrentOffer
  /** The title that is rented, where the offer is of several. */
  assetId: number | null
}

/** An offer as far as the rules look at it. */
type Ruled = Pick<CurrentOffer, 'id' | 'key' | 'type' | 'terms'>

/**
 * Refuses offers that do not go into one order: -2333 the same twice, -1103 they exclude one another or are periods of one plan,
 * -2335 anything but one subscription with its options, or one single purchase (decision 35).
 */
export function requireTogether(offers: readonly Ruled[]): void {
  if (new Set(offers.map(({ id }) => id)).size < offers.length) throw new ServiceError('optionAlreadyAdded')
  if (offers.length > 1 && offers.some(({ type }) => type !== 'subscription'))
    throw new ServiceError('mixedOfferTypes')
  const plans = new Set(offers.map(planOf))
  const keys = new Set(offers.map(({ key }) => key))
  const areExclusive = offers.some(({ terms }) => terms.excludes.some((key) => keys.has(key)))
  if (areExclusive || plans.size < offers.length) throw new ServiceError('incompatibleOption')
  if (offers.filter(({ terms }) => terms.requires.length === 0).length > 1)
    throw new ServiceError('mixedOfferTypes')
}

/**
 * Refuses what the account may not buy, for what it has: -2336 what is sold once and was bought, -1102 a plan that runs, -2333 an
 * option that runs, -14005 what a running subscription excludes. Asked when an order is submitted and again when it is executed.
 */
export function requireFree(offers: readonly Ruled[], { running, bought }: Holdings): void {
  for (const offer of offers) {
    const { key, terms } = offer
    if (terms.once && bought.has(offer.id)) throw new ServiceError('optionOnlyOnce')
    if (offer.type !== 'subscription') continue
    if (running.some(({ plan }) => plan === planOf(offer)))
      throw new ServiceError(terms.requires.length > 0 ? 'optionAlreadyAdded' : 'alreadySubscribed')
    if (running.some((held) => held.excludes.includes(key) || terms.excludes.includes(held.key)))
      throw new ServiceError('offerIncompatible')
  }
}

/** Refuses an option without one of the subscriptions that it needs, held or bought with it (-2212). */
export function requireRequired(offers: readonly Ruled[], { running }: Holdings): void {
  const there = new Set([...offers, ...running].map(({ key }) => key))
  for (const { terms } of offers)
    if (terms.requires.length > 0 && !terms.requires.some((key) => there.has(key)))
      throw new ServiceError('requiredOptionMissing')
}

import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { CurrentOffer } from '../offers/offer-book.service.ts'
import { type AllHoldings, type HeldOffer, type Holdings, holdingsOfAll, planOf } from './holdings.service.ts'

/** An offer in a cart or an order. */
export interface Line {
  offer: CurrentOffer
  /** The title that is rented, where the offer is of several. */
  assetId: number | null
}

/** An offer as far as the rules look at it. */
type Ruled = Pick<CurrentOffer, 'id' | 'key' | 'type' | 'terms'>

/** Whether an account has one of two subscriptions at a time: they are periods of one plan, or one excludes the other. */
export function areExclusive(
  one: Pick<HeldOffer, 'key' | 'terms'>,
  other: Pick<HeldOffer, 'key' | 'terms'>,
): boolean {
  return (
    planOf(one) === planOf(other) ||
    one.terms.excludes.includes(other.key) ||
    other.terms.excludes.includes(one.key)
  )
}

/**
 * Refuses offers that do not go into one order: -2333 the same twice, -1103 they exclude one another or are periods of one plan,
 * -2335 anything but one subscription with its options, or one single purchase (decision 35).
 */
export function requireTogether(offers: readonly Ruled[]): void {
  if (new Set(offers.map(({ id }) => id)).size < offers.length) throw new ServiceError('optionAlreadyAdded')
  if (offers.length > 1 && offers.some(({ type }) => type !== 'subscription'))
    throw new ServiceError('mixedOfferTypes')
  const isAnyExclusive = offers.some((one, at) =>
    offers.slice(at + 1).some((other) => areExclusive(one, other)),
  )
  if (isAnyExclusive) throw new ServiceError('incompatibleOption')
  if (offers.filter(({ terms }) => terms.requires.length === 0).length > 1)
    throw new ServiceError('mixedOfferTypes')
}

/** Offers that an account is about to have. */
interface Asked {
  accountId: number
  offers: readonly Ruled[]
}

/** What the account has, as far as it decides about these offers. Nothing does about a single purchase that may be repeated. */
export async function holdingsFor(
  db: Database | Transaction,
  offers: readonly Ruled[],
  accountId: number,
  now: number,
): Promise<Holdings> {
  return (await holdingsForAll(db, [{ accountId, offers }], now)).of(accountId)
}

/** As {@link holdingsFor}, for many accounts. */
export async function holdingsForAll(
  db: Database | Transaction,
  asked: readonly Asked[],
  now: number,
): Promise<AllHoldings> {
  const ruled = asked.filter(({ offers }) => offers.some(isRuled))
  return ruled.length === 0
    ? { of: () => NOTHING_HELD }
    : await holdingsOfAll(
        db,
        ruled.map(({ accountId }) => accountId),
        now,
      )
}

function isRuled({ type, terms }: Ruled): boolean {
  return type === 'subscription' || terms.once || terms.requires.length > 0
}

const NOTHING_HELD: Holdings = { running: [], bought: new Set(), tried: new Set() }

/**
 * Refuses what the account may not buy, for what it has: -2336 what is sold once and was bought, -1102 a plan that runs, -2333 an
 * option that runs, -14005 what a running subscription excludes. Asked when an order is submitted and again when it is executed.
 */
export function requireFree(offers: readonly Ruled[], { running, bought }: Holdings): void {
  for (const offer of offers) {
    const { terms } = offer
    if (terms.once && bought.has(offer.id)) throw new ServiceError('optionOnlyOnce')
    if (offer.type !== 'subscription') continue
    if (running.some((held) => planOf(held) === planOf(offer)))
      throw new ServiceError(terms.requires.length > 0 ? 'optionAlreadyAdded' : 'alreadySubscribed')
    if (running.some((held) => areExclusive(held, offer))) throw new ServiceError('offerIncompatible')
  }
}

/** Refuses an option without one of the subscriptions that it needs, held or bought with it (-2212). */
export function requireRequired(offers: readonly Ruled[], { running }: Holdings): void {
  const there = new Set([...offers, ...running].map(({ key }) => key))
  for (const { terms } of offers)
    if (terms.requires.length > 0 && !terms.requires.some((key) => there.has(key)))
      throw new ServiceError('requiredOptionMissing')
}

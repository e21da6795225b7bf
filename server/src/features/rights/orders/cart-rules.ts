import type { Database, Transaction } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import type { CurrentOffer } from '../offers/offer-book.service.ts'
import { type AllHoldings, type HeldOffer, type Holdings, holdingsOfAll, planOf } from './holdings.service.ts'

/** A line of a cart or an order. */
export interface Line {
  offer: CurrentOffer
  /** Id of the title that the buyer chooses; null for an offer without a choice. */
  assetId: number | null
}

/** Fields of an offer that the rules read. */
type Ruled = Pick<CurrentOffer, 'id' | 'key' | 'type' | 'terms'>

/**
 * Returns whether an account can hold only one of two subscriptions: both belong to one plan, or one excludes
 * the other.
 */
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
 * Rejects offers that cannot be in one order. -2333: the same offer twice. -1103: two offers exclude each other or
 * belong to one plan. -2335: several offers that are not a subscription with its options (spec 35).
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

/** Offers that an account is about to buy. */
interface Asked {
  accountId: number
  offers: readonly Ruled[]
}

/**
 * Returns the holdings of an account that affect these offers. Holdings do not affect one-time purchases that an
 * account can repeat. If all offers are of this kind, returns no holdings and does not query the database.
 */
export async function holdingsFor(
  db: Database | Transaction,
  offers: readonly Ruled[],
  accountId: number,
  now: number,
): Promise<Holdings> {
  return (await holdingsForAll(db, [{ accountId, offers }], now)).of(accountId)
}

/** Returns holdings for many accounts, as {@link holdingsFor} does. */
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
 * Rejects offers that conflict with the account's holdings. -2336: the offer is sold once per account and was
 * bought before. -1102: the account has the plan. -2333: the account has the option. -14005: a running
 * subscription excludes the offer. Called when an order is submitted, and again when it is executed.
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

/**
 * Rejects an option without a subscription that it requires (-2212). The account must have this subscription, or
 * buy it in the same order. Called when an order is submitted, and again when it is executed.
 */
export function requireRequired(offers: readonly Ruled[], { running }: Holdings): void {
  const there = new Set([...offers, ...running].map(({ key }) => key))
  for (const { terms } of offers)
    if (terms.requires.length > 0 && !terms.requires.some((key) => there.has(key)))
      throw new ServiceError('requiredOptionMissing')
}

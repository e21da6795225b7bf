import { isDeepStrictEqual } from 'node:util'
import type { OfferType } from '@ondine/contract/offers'
import { desc, eq, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { GrantTarget, NewGrant } from '../entitlements/grants.service.ts'
import type { CurrentOffer } from './offer-book.service.ts'
import type { OfferTerms } from './offer-terms.ts'
import { offerRevisions, offers } from './offers.table.ts'

/** Offer to store. */
export interface WantedOffer {
  key: string
  type: OfferType
  terms: OfferTerms
}

/** Keys of the given offers, grouped by the effect of {@link putOffers}. */
export interface PutOffers {
  added: string[]
  /** Offers with a new revision, or offers that are on sale again after they were withdrawn. */
  changed: string[]
  unchanged: string[]
}

/**
 * Thrown for an offer that exists with another type. The type of an offer cannot change, because orders and rights
 * depend on it.
 */
class OfferTypeError extends Error {
  override name = 'OfferTypeError'
}

/**
 * Stores offers. A new offer gets its first revision, and a changed offer gets another revision. A withdrawn offer
 * goes on sale again.
 *
 * @param now milliseconds since the Unix epoch
 * @throws OfferTypeError if an offer exists with another type
 */
export async function putOffers(
  tx: Transaction,
  wanted: readonly WantedOffer[],
  now: number,
): Promise<PutOffers> {
  const result: PutOffers = { added: [], changed: [], unchanged: [] }
  const keys = wanted.map(({ key }) => key)
  // The row locks serialise concurrent imports of the same offers.
  const stored = await tx
    .select()
    .from(offers)
    .where(inArray(offers.key, keys))
    .orderBy(offers.id)
    .for('update')
  const known = new Map(stored.map((row) => [row.key, row]))
  for (const { key, type, terms } of wanted) {
    const before = known.get(key)
    if (before === undefined) {
      const [made] = await tx.insert(offers).values({ key, type }).returning({ id: offers.id })
      if (!made) throw new Error('The offer was not stored.')
      await tx.insert(offerRevisions).values({ offerId: made.id, number: 1, terms, madeAt: now })
      result.added.push(key)
      continue
    }
    if (before.type !== type) throw new OfferTypeError(`${key} is of type ${before.type}`)
    const [last] = await tx
      .select()
      .from(offerRevisions)
      .where(eq(offerRevisions.offerId, before.id))
      .orderBy(desc(offerRevisions.number))
      .limit(1)
    const isSame = isDeepStrictEqual(last?.terms, terms)
    if (!isSame) {
      const number = (last?.number ?? 0) + 1
      await tx.insert(offerRevisions).values({ offerId: before.id, number, terms, madeAt: now })
    }
    if (before.withdrawnAt !== null)
      await tx.update(offers).set({ withdrawnAt: null }).where(eq(offers.id, before.id))
    result[isSame && before.withdrawnAt === null ? 'unchanged' : 'changed'].push(key)
  }
  return result
}

/**
 * Withdraws an offer from sale; does nothing if the offer is already withdrawn. @returns whether the offer exists
 */
export async function withdrawOffer(db: Database, key: string, now: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.select().from(offers).where(eq(offers.key, key)).for('update')
    if (row === undefined) return false
    if (row.withdrawnAt === null)
      await tx.update(offers).set({ withdrawnAt: now }).where(eq(offers.id, row.id))
    return true
  })
}

/** Returns all revisions of an offer, the newest first. */
export async function revisionsOf(
  db: Database,
  offerId: number,
): Promise<(typeof offerRevisions.$inferSelect)[]> {
  return await db
    .select()
    .from(offerRevisions)
    .where(eq(offerRevisions.offerId, offerId))
    .orderBy(desc(offerRevisions.number))
}

/** Returns whether rights from an offer allow downloads, and the greatest height of video that they allow. */
export function allowancesOf({
  downloads,
  maximumHeight,
}: Pick<OfferTerms, 'downloads' | 'maximumHeight'>): Pick<OfferTerms, 'downloads' | 'maximumHeight'> {
  return { downloads, ...(maximumHeight !== undefined && { maximumHeight }) }
}

/** How long after the purchase a rental can be started, in milliseconds (spec 49). */
const BEGIN_WITHIN_MS = 30 * 86_400_000

/** Target and period of the right from a one-time purchase. */
export type SingleRight = Pick<
  NewGrant,
  'opens' | 'from' | 'to' | 'slotSeconds' | 'downloads' | 'maximumHeight'
>

/**
 * Returns the right that a rental or a pay-per-view gives.
 *
 * @param assetId id of the title, if the buyer chooses one; otherwise null
 * @param now when the right is given, in milliseconds since the Unix epoch
 */
export function singleRight(
  { type, key, terms }: Pick<CurrentOffer, 'type' | 'key' | 'terms'>,
  assetId: number | null,
  now: number,
): SingleRight {
  const { opens, slotSeconds } = terms
  // For a channel, `slotSeconds` counts from the purchase. For other content, it counts from the first play.
  const ofChannel = opens.kind === 'channel'
  const endOfChannel = slotSeconds === null ? null : now + slotSeconds * 1000
  const lastBeginning = type === 'transactional' && slotSeconds !== null ? now + BEGIN_WITHIN_MS : null
  return {
    opens: openedBy(opens, assetId, key),
    from: now,
    to: ofChannel ? endOfChannel : lastBeginning,
    slotSeconds: ofChannel || slotSeconds === null ? undefined : slotSeconds,
    ...allowancesOf(terms),
  }
}

function openedBy(opens: OfferTerms['opens'], assetId: number | null, key: string): GrantTarget {
  switch (opens.kind) {
    case 'season':
      return { categoryId: opens.categoryId }
    case 'channel':
      return { channelId: opens.channelId }
    default:
      if (assetId === null) throw new Error(`${key} was bought without a title.`)
      return { assetId }
  }
}

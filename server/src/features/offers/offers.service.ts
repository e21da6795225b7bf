import { isDeepStrictEqual } from 'node:util'
import type { OfferType } from '@ondine/contract/offers'
import { desc, eq, inArray } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import type { OfferTerms } from './offer-terms.ts'
import { offerRevisions, offers } from './offers.table.ts'

/** An offer as it is to stand. */
export interface WantedOffer {
  key: string
  type: OfferType
  terms: OfferTerms
}

/** What became of offers that were put, by their keys. */
export interface PutOffers {
  added: string[]
  /** They have a new revision, or are on sale again. */
  changed: string[]
  unchanged: string[]
}

/** An offer's type is for good: orders and rights go by it. */
export class OfferTypeError extends Error {
  override name = 'OfferTypeError'
}

/**
 * Puts offers: a new one gets its first revision, one that says something else a further one. One that was withdrawn is on sale again.
 *
 * @param now milliseconds since the Unix epoch
 * @throws OfferTypeError when one stands with another type
 */
export async function putOffers(
  tx: Transaction,
  wanted: readonly WantedOffer[],
  now: number,
): Promise<PutOffers> {
  const result: PutOffers = { added: [], changed: [], unchanged: [] }
  const keys = wanted.map(({ key }) => key)
  // Two imports at once come one after the other here.
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

/** Takes an offer off sale; one that is off stays as it was. @returns whether there is such an offer */
export async function withdrawOffer(db: Database, key: string, now: number): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [row] = await tx.select().from(offers).where(eq(offers.key, key)).for('update')
    if (row === undefined) return false
    if (row.withdrawnAt === null)
      await tx.update(offers).set({ withdrawnAt: now }).where(eq(offers.id, row.id))
    return true
  })
}

/** All that an offer has said, the newest first. */
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

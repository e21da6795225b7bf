import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { endOf, GIVES_ACCESS, GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { type AccountSubscription, subscriptionsOf } from './account-subscriptions.ts'
import { type Purchase, purchasesOf } from './holdings.service.ts'

/**
 * Returns when an account's right to download content of these packages ends, in milliseconds since the Unix
 * epoch. Undefined if a right has no end. Also undefined if a subscription renews, because a renewal extends the
 * right.
 *
 * @param now milliseconds since the Unix epoch
 */
export async function knownEndOf(
  db: Database,
  accountId: number,
  packageIds: readonly number[],
  now: number,
): Promise<number | undefined> {
  const rows = await db
    .select({ to: sql<string | null>`nullif(extract(epoch from ${endOf()}) * 1000, 'infinity')` })
    .from(grants)
    .where(
      and(
        eq(grants.accountId, accountId),
        inArray(grants.packageId, [...packageIds]),
        eq(grants.downloads, true),
        inArray(grants.statusId, [...GIVES_ACCESS]),
        sql`${endOf()} > ${new Date(now).toISOString()}::timestamptz`,
      ),
    )
  const ends = rows.flatMap(({ to }) => (to === null ? [] : [Number(to)]))
  if (ends.length === 0 || ends.length < rows.length) return undefined
  const opens = ({ downloads, packageIds: opened }: OfferTerms) =>
    downloads && opened.some((id) => packageIds.includes(id))
  const subscriptions = await subscriptionsOf(db, accountId, now)
  if (nextOffersOf(subscriptions).some(({ terms }) => opens(terms))) return undefined
  const elsewhere = (await purchasesOf(db, accountId, now)).filter(({ source }) => source !== 'order')
  return elsewhere.some((purchase) => renews(purchase) && opens(purchase.offer.terms))
    ? undefined
    : Math.max(...ends)
}

/**
 * Returns the offers of the next periods of subscriptions. A cancelled subscription has no next period, and an option has
 * none without a plan that it requires.
 */
function nextOffersOf(
  subscriptions: readonly AccountSubscription[],
): Pick<Purchase['offer'], 'key' | 'terms'>[] {
  const next = subscriptions
    .filter(({ subscription }) => subscription.statusId === GRANT_STATUS.active)
    .map(({ offer, change }) => change ?? offer)
  const keys = new Set(next.map(({ key }) => key))
  return next.filter(
    ({ terms }) => terms.requires.length === 0 || terms.requires.some((key) => keys.has(key)),
  )
}

/** Returns whether a purchase from elsewhere is a subscription that renews. A gift does not renew. */
function renews({ offer, source, statusId }: Purchase): boolean {
  return offer.type === 'subscription' && source !== 'gift' && statusId === GRANT_STATUS.active
}

import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { endOf, GIVES_ACCESS, GRANT_STATUS } from '../entitlements/grants.service.ts'
import type { OfferTerms } from '../offers/offer-terms.ts'
import { goesOn, type RunningPlans, runningPlansOf } from './account-subscriptions.ts'
import { type Purchase, purchasesOf } from './holdings.service.ts'
import { nextPeriod } from './subscription-periods.ts'

/**
 * Returns when an account's right to download content of these packages ends, in milliseconds since the Unix epoch.
 * Undefined if the account has no such right, or a right without an end. Also undefined if a subscription renews,
 * because a renewal extends the right.
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
  const plans = await runningPlansOf(db, accountId, now)
  if (nextTermsOf(plans, now).some(opens)) return undefined
  const elsewhere = (await purchasesOf(db, accountId, now)).filter(({ source }) => source !== 'order')
  return elsewhere.some((purchase) => renews(purchase) && opens(purchase.offer.terms))
    ? undefined
    : Math.max(...ends)
}

/** Returns the terms of the next periods of subscriptions. A subscription that ends with its period has none. */
function nextTermsOf(plans: RunningPlans, now: number): OfferTerms[] {
  return plans.own
    .filter((held) => goesOn(held, plans, now))
    .map((held) => {
      const { terms } = held.offer
      return nextPeriod(held.subscription, terms, now, held).begins?.terms ?? terms
    })
}

/**
 * Returns whether a purchase that no order of this service paid is a subscription that renews. A gift does not
 * renew.
 */
function renews({ offer, source, statusId }: Purchase): boolean {
  return offer.type === 'subscription' && source !== 'gift' && statusId === GRANT_STATUS.active
}

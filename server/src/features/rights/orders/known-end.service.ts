import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { grants } from '../entitlements/entitlements.table.ts'
import { endOf, GIVES_ACCESS, GRANT_STATUS } from '../entitlements/grants.service.ts'
import { type Purchase, purchasesOf } from './holdings.service.ts'

/**
 * Returns when an account's right to download content of these packages is known to end, in milliseconds since the Unix
 * epoch. Undefined if a right has no end, or if a subscription renews: its present period then ends, but the right goes
 * on.
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
  const purchases = await purchasesOf(db, accountId, now)
  const goesOn = purchases.some(
    (purchase) => renews(purchase) && purchase.offer.terms.packageIds.some((id) => packageIds.includes(id)),
  )
  return goesOn ? undefined : Math.max(...ends)
}

/** Returns whether a purchase is a subscription that renews. A subscription that was given as a gift does not. */
function renews({ offer, source, statusId }: Purchase): boolean {
  return offer.type === 'subscription' && source !== 'gift' && statusId === GRANT_STATUS.active
}

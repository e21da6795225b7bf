import { and, desc, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { Database } from '../../database/connection.ts'
import { grants } from './entitlements.table.ts'

/** A title, or a season or series, that an account has rented or bought apart. */
export type Rented = { assetId: number } | { categoryId: number }

/** So many rentals are looked through, the last first: more than a household has in years. */
const MOST_RENTALS = 500

/** All rentals and single purchases of an account, the last first. Past ones are among them: whether a right still holds is not said. */
export async function rentedBy(db: Database, accountId: number): Promise<Rented[]> {
  const rows = await db
    .select({ assetId: grants.assetId, categoryId: grants.categoryId })
    .from(grants)
    .where(
      and(
        eq(grants.accountId, accountId),
        inArray(grants.source, ['rental', 'payPerView', 'store']),
        or(isNotNull(grants.assetId), isNotNull(grants.categoryId)),
      ),
    )
    .orderBy(desc(grants.id))
    .limit(MOST_RENTALS)
  return rows.flatMap(({ assetId, categoryId }): Rented[] => {
    if (assetId !== null) return [{ assetId }]
    return categoryId === null ? [] : [{ categoryId }]
  })
}

import { and, desc, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { grants } from './entitlements.table.ts'
import { endOf } from './grants.service.ts'

/** Title, season or series that an account has rented or bought separately. */
export type Rented = ({ assetId: number } | { categoryId: number }) & {
  /** Its end in milliseconds since the Unix epoch; infinite without an end. */
  until: number
}

/** Most rentals that are read, the latest first: more than a household has in years. */
const MOST_RENTALS = 500

/** Returns all rentals and single purchases of an account, the latest first, including past ones. */
export async function rentedBy(db: Database, accountId: number): Promise<Rented[]> {
  const rows = await db
    .select({
      assetId: grants.assetId,
      categoryId: grants.categoryId,
      until: sql`extract(epoch from ${endOf()}) * 1000`.mapWith(Number),
    })
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
  return rows.flatMap(({ assetId, categoryId, until }): Rented[] => {
    if (assetId !== null) return [{ assetId, until }]
    return categoryId === null ? [] : [{ categoryId, until }]
  })
}

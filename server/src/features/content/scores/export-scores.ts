import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { scores } from './scores.table.ts'

/** Reads the scores that an account's profiles have given. */
export async function exportScores(db: Database, accountId: number): Promise<AccountData> {
  return {
    reviews: await db
      .select({ ...readableColumns(scores), title: assets.titles, series: categories.names })
      .from(scores)
      .innerJoin(profiles, eq(profiles.id, scores.profileId))
      .leftJoin(assets, eq(assets.id, scores.assetId))
      .leftJoin(categories, eq(categories.id, scores.categoryId))
      .where(eq(profiles.accountId, accountId))
      .orderBy(scores.updatedAt),
  }
}

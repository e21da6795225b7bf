import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { favourites } from './favourites.table.ts'

/** Reads the favourites of an account's profiles. */
export async function exportFavourites(db: Database, accountId: number): Promise<AccountData> {
  return {
    favourites: await db
      .select({
        ...readableColumns(favourites),
        title: assets.titles,
        series: categories.names,
        channel: channels.names,
      })
      .from(favourites)
      .innerJoin(profiles, eq(profiles.id, favourites.profileId))
      .leftJoin(assets, eq(assets.id, favourites.assetId))
      .leftJoin(categories, eq(categories.id, favourites.categoryId))
      .leftJoin(channels, eq(channels.id, favourites.channelId))
      .where(eq(profiles.accountId, accountId))
      .orderBy(favourites.id),
  }
}

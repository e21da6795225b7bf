import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { grants, packages } from './entitlements.table.ts'

/** Reads the rights of an account, including past rights, with the package, title, series or channel of each right. */
export async function exportGrants(db: Database, accountId: number): Promise<AccountData> {
  return {
    entitlements: await db
      .select({
        ...readableColumns(grants),
        package: packages.key,
        title: assets.titles,
        series: categories.names,
        channel: channels.names,
      })
      .from(grants)
      .leftJoin(packages, eq(packages.id, grants.packageId))
      .leftJoin(assets, eq(assets.id, grants.assetId))
      .leftJoin(categories, eq(categories.id, grants.categoryId))
      .leftJoin(channels, eq(channels.id, grants.channelId))
      .where(eq(grants.accountId, accountId))
      .orderBy(grants.id),
  }
}

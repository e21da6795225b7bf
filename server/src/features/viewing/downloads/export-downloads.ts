import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { heldDownloads } from './downloads.table.ts'

/** Reads the downloads whose licences devices of an account hold. */
export async function exportDownloads(db: Database, accountId: number): Promise<AccountData> {
  return {
    downloads: await db
      .select({ ...readableColumns(heldDownloads, 'deviceKey'), title: assets.titles })
      .from(heldDownloads)
      .innerJoin(assets, eq(assets.id, heldDownloads.assetId))
      .where(eq(heldDownloads.accountId, accountId))
      .orderBy(heldDownloads.expiresAt),
  }
}

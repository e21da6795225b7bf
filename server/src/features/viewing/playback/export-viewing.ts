import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'
import { seekPositions } from './playback.table.ts'
import { playing } from './playing.table.ts'

/** Reads where an account's profiles have stopped in titles, and what the account plays now. */
export async function exportViewing(db: Database, accountId: number): Promise<AccountData> {
  return {
    positions: await db
      .select({ ...readableColumns(seekPositions), title: assets.titles })
      .from(seekPositions)
      .innerJoin(profiles, eq(profiles.id, seekPositions.profileId))
      .innerJoin(assets, eq(assets.id, seekPositions.assetId))
      .where(eq(profiles.accountId, accountId))
      .orderBy(seekPositions.updatedAt),
    playing: await db
      .select(readableColumns(playing, 'id', 'signIn'))
      .from(playing)
      .where(eq(playing.accountId, accountId)),
  }
}

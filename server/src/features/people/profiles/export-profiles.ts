import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { profiles } from './profiles.table.ts'

/** Reads the profiles of an account. */
export async function exportProfiles(db: Database, accountId: number): Promise<AccountData> {
  return {
    profiles: await db
      .select(readableColumns(profiles))
      .from(profiles)
      .where(eq(profiles.accountId, accountId))
      .orderBy(profiles.id),
  }
}

import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { pairings } from './pairing.table.ts'

/** Reads the televisions that an account has just paired. */
export async function exportPairings(db: Database, accountId: number): Promise<AccountData> {
  return {
    pairings: await db
      .select(readableColumns(pairings, 'code', 'secretHash'))
      .from(pairings)
      .where(eq(pairings.accountId, accountId)),
  }
}

import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { attempts } from './attempts.table.ts'

/** Reads how often the holder of an account has lately guessed secrets. */
export async function exportAttempts(db: Database, accountId: number): Promise<AccountData> {
  return {
    attempts: await db
      .select(readableColumns(attempts))
      .from(attempts)
      .where(eq(attempts.accountId, accountId)),
  }
}

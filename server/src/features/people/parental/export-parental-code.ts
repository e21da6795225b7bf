import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { parentalCodes } from './parental.table.ts'

/** Reads since when an account has its parental code. */
export async function exportParentalCode(db: Database, accountId: number): Promise<AccountData> {
  return {
    parentalCode: await db
      .select(readableColumns(parentalCodes, 'codeHash'))
      .from(parentalCodes)
      .where(eq(parentalCodes.accountId, accountId)),
  }
}

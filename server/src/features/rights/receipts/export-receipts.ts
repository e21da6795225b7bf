import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { receipts } from './receipts.table.ts'

/** Reads the receipts and credit notes of an account. */
export async function exportReceipts(db: Database, accountId: number): Promise<AccountData> {
  return {
    receipts: await db
      .select(readableColumns(receipts))
      .from(receipts)
      .where(eq(receipts.accountId, accountId))
      .orderBy(receipts.id),
  }
}

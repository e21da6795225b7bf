import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { type ReceiptLine, receipts } from './receipts.table.ts'

/** Reads the receipts and credit notes of an account. */
export async function exportReceipts(db: Database, accountId: number): Promise<AccountData> {
  const rows = await db
    .select({ ...readableColumns(receipts), lines: receipts.lines })
    .from(receipts)
    .where(eq(receipts.accountId, accountId))
    .orderBy(receipts.id)
  return { receipts: rows.map((row) => ({ ...row, lines: row.lines.map(readableLine) })) }
}

/** Returns a line with its times as ISO 8601. */
function readableLine(line: ReceiptLine): object {
  const { from, to } = line
  return { ...line, from: new Date(from).toISOString(), to: to === null ? null : new Date(to).toISOString() }
}

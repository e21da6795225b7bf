import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { paymentMethods, payments } from './payments.table.ts'

/** Reads the payments and the saved cards of an account. */
export async function exportPayments(db: Database, accountId: number): Promise<AccountData> {
  return {
    payments: await db
      .select(readableColumns(payments, 'key', 'returnUrl'))
      .from(payments)
      .where(eq(payments.accountId, accountId))
      .orderBy(payments.id),
    cards: await db
      .select(readableColumns(paymentMethods, 'reference'))
      .from(paymentMethods)
      .where(eq(paymentMethods.accountId, accountId))
      .orderBy(paymentMethods.id),
  }
}

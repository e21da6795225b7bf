import { eq, or } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { storePurchases, storeTransactions } from './store-purchases.table.ts'

/**
 * Reads the purchases of an account in app stores, with their transactions. Google's purchase token identifies a
 * purchase, and is a secret.
 */
export async function exportStorePurchases(db: Database, accountId: number): Promise<AccountData> {
  return {
    storePurchases: await db
      .select(readableColumns(storePurchases, 'reference'))
      .from(storePurchases)
      .where(eq(storePurchases.accountId, accountId))
      .orderBy(storePurchases.id),
    storeTransactions: await db
      .select(readableColumns(storeTransactions))
      .from(storeTransactions)
      .innerJoin(storePurchases, eq(storePurchases.id, storeTransactions.purchaseId))
      .where(or(eq(storePurchases.accountId, accountId), eq(storeTransactions.givenTo, accountId)))
      .orderBy(storeTransactions.id),
  }
}

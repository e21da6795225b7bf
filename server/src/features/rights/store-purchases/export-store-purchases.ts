import { eq, or, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { storePurchases, storeTransactions } from './store-purchases.table.ts'

/**
 * Reads the purchases of an account in app stores, with their transactions. Google's purchase token identifies a
 * purchase, and is a secret. The rights of a transaction may belong to an earlier account of the purchase, whose id is
 * personal data of somebody else.
 */
export async function exportStorePurchases(db: Database, accountId: number): Promise<AccountData> {
  return {
    storePurchases: await db
      .select(readableColumns(storePurchases, 'reference'))
      .from(storePurchases)
      .where(eq(storePurchases.accountId, accountId))
      .orderBy(storePurchases.id),
    storeTransactions: await db
      .select({
        ...readableColumns(storeTransactions, 'givenTo'),
        isGivenToYou: sql<boolean>`${storeTransactions.givenTo} is not distinct from ${accountId}`,
      })
      .from(storeTransactions)
      .innerJoin(storePurchases, eq(storePurchases.id, storeTransactions.purchaseId))
      .where(or(eq(storePurchases.accountId, accountId), eq(storeTransactions.givenTo, accountId)))
      .orderBy(storeTransactions.id),
  }
}

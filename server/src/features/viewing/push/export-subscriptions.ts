import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { pushSubscriptions } from './push.table.ts'

/** Reads the devices that show notifications of an account's profiles. */
export async function exportSubscriptions(db: Database, accountId: number): Promise<AccountData> {
  return {
    notifications: await db
      .select(readableColumns(pushSubscriptions, 'endpoint', 'publicKey', 'secret'))
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.accountId, accountId))
      .orderBy(pushSubscriptions.id),
  }
}

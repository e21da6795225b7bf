import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData, AccountHooks } from './account-hooks.ts'
import { accountLinks } from './account-links.table.ts'
import { accounts } from './accounts.table.ts'

/**
 * Reads everything that the service holds about an account, for its holder (GDPR, articles 15 and 20). All parts are
 * of the same moment.
 */
export async function exportAccount(
  db: Database,
  hooks: Pick<AccountHooks, 'onAccountExported'>,
  accountId: number,
): Promise<AccountData> {
  return await db.transaction(
    async (tx) => {
      let data: AccountData = {}
      for (const read of hooks.onAccountExported) data = { ...data, ...(await read(tx, accountId)) }
      return data
    },
    { isolationLevel: 'repeatable read', accessMode: 'read only' },
  )
}

/** Reads the account itself, and the links that were sent to its holder. */
export async function exportDetails(db: Database, accountId: number): Promise<AccountData> {
  return {
    account: await db
      .select(readableColumns(accounts, 'passwordHash'))
      .from(accounts)
      .where(eq(accounts.id, accountId)),
    links: await db
      .select(readableColumns(accountLinks, 'tokenHash'))
      .from(accountLinks)
      .where(eq(accountLinks.accountId, accountId))
      .orderBy(accountLinks.id),
  }
}

import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { identities } from './identities.table.ts'

/** Reads the identities of an account at the operator's identity provider. */
export async function exportIdentities(db: Database, accountId: number): Promise<AccountData> {
  return {
    identities: await db
      .select(readableColumns(identities))
      .from(identities)
      .where(eq(identities.accountId, accountId)),
  }
}

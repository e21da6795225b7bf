import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { signInEndings } from './sign-in-endings.table.ts'

/** Reads the ended sign-ins of an account. The sign-ins that go on are in the devices. */
export async function exportSignIns(db: Database, accountId: number): Promise<AccountData> {
  return {
    endedSignIns: await db
      .select(readableColumns(signInEndings, 'signIn'))
      .from(signInEndings)
      .where(eq(signInEndings.accountId, accountId))
      .orderBy(signInEndings.id),
  }
}

import { eq } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../accounts/account-hooks.ts'
import { devices } from './devices.table.ts'

/** Reads the devices of an account, with their last sign-ins. */
export async function exportDevices(db: Database, accountId: number): Promise<AccountData> {
  return {
    devices: await db
      .select(readableColumns(devices, 'signIn'))
      .from(devices)
      .where(eq(devices.accountId, accountId))
      .orderBy(devices.id),
  }
}

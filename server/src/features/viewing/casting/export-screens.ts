import { eq, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { readableColumns } from '../../../database/readable-columns.ts'
import type { AccountData } from '../../people/accounts/account-hooks.ts'
import { screenCommands, screens } from './casting.table.ts'

/**
 * Reads the screens of an account, and the latest commands to them. Of a command only the type, because the command
 * that loads media has a proof of the parental code.
 */
export async function exportScreens(db: Database, accountId: number): Promise<AccountData> {
  const rows = await db
    .select({ ...readableColumns(screens, 'connection'), state: screens.state })
    .from(screens)
    .where(eq(screens.accountId, accountId))
  return {
    screens: rows.map(({ state, ...row }) => ({
      ...row,
      state: state && { ...state, at: new Date(state.at).toISOString() },
    })),
    screenCommands: await db
      .select({
        ...readableColumns(screenCommands, 'command'),
        type: sql<string>`${screenCommands.command} ->> 'type'`,
      })
      .from(screenCommands)
      .innerJoin(screens, eq(screens.deviceId, screenCommands.deviceId))
      .where(eq(screens.accountId, accountId))
      .orderBy(screenCommands.sentAt),
  }
}

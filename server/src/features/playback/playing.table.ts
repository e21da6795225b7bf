import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { devices } from '../devices/devices.table.ts'

/** What accounts play now, on which device: counted against how much may play at once (A8.1, code 440). */
export const playing = pgTable(
  'playing',
  {
    /** The session's. */
    id: text().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for a client that registered none. */
    deviceId: integer().references(() => devices.id, { onDelete: 'cascade' }),
    /** Stands for the device of a client that registered none; what plays ends with it. */
    signIn: text(),
    assetId: integer(),
    channelId: integer(),
    /** When it was heard of last. */
    seenAt: moment().notNull(),
  },
  // Not on `seenAt`: each note of a session would write an index too, and only the hourly sweep looks for it.
  (table) => [index().on(table.accountId), index().on(table.deviceId)],
)

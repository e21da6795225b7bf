import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { devices } from '../../people/devices/devices.table.ts'

/**
 * Playback sessions in progress, by account and device. They count for the limit of concurrent playback (A8.1, code
 * -440).
 */
export const playing = pgTable(
  'playing',
  {
    /** Id of the session. */
    id: text().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Null for a client without a registered device. */
    deviceId: integer().references(() => devices.id, { onDelete: 'cascade' }),
    /**
     * The sign-in of a client without a registered device, which counts as the device. The end of the sign-in ends
     * its sessions.
     */
    signIn: text(),
    assetId: integer(),
    channelId: integer(),
    recordingId: integer(),
    /** Time of the last recorded heartbeat. */
    seenAt: moment().notNull(),
  },
  // No index on `seenAt`: each recorded heartbeat would update it, and only the hourly sweep needs it.
  (table) => [index().on(table.accountId), index().on(table.deviceId)],
)

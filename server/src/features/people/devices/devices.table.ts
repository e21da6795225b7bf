import { DEVICE_TYPES } from '@ondine/contract/device-names'
import { integer, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { profiles } from '../profiles/profiles.table.ts'

/** Devices of accounts (A3-13). */
export const devices = pgTable(
  'devices',
  {
    id: serial().primaryKey(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** Id that the device chose for itself. */
    uniqueId: text().notNull(),
    name: text().notNull(),
    type: text({ enum: DEVICE_TYPES }).notNull(),
    lastLoginAt: moment().notNull(),
    /**
     * Name of the sign-in that the device can renew. A device token is valid only if it contains the same name.
     * Null after signing out.
     */
    signIn: text(),
    /**
     * The child's profile that is active in the sign-in; null for an adult's profile. Needed if only the device
     * token renews the sign-in.
     */
    childProfileId: integer().references(() => profiles.id, { onDelete: 'set null' }),
  },
  (table) => [uniqueIndex().on(table.accountId, table.uniqueId)],
)

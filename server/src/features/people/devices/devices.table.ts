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
     * Name of the sign-in that the device can renew. The device token must name the same sign-in. Null after signing
     * out.
     */
    signIn: text(),
    /**
     * The child's profile that watches in the sign-in; null for an adult's. It is needed when the sign-in is renewed by
     * the device token alone.
     */
    childProfileId: integer().references(() => profiles.id, { onDelete: 'set null' }),
  },
  (table) => [uniqueIndex().on(table.accountId, table.uniqueId)],
)

import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { storefronts } from '../../settings/storefronts/storefronts.table.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { devices } from '../devices/devices.table.ts'
import { profiles } from '../profiles/profiles.table.ts'

/** Televisions that show a code and wait for their pairing, or were paired in the last minute. */
export const pairings = pgTable('pairings', {
  /** Code that the television shows. */
  code: text().primaryKey(),
  /** SHA-256 of the television's secret. Only the television has the secret. */
  secretHash: text().notNull().unique(),
  storefrontId: integer()
    .notNull()
    .references(() => storefronts.id),
  /** `User-Agent` of the television. */
  userAgent: text().notNull(),
  startedAt: moment().notNull(),
  expiresAt: moment().notNull(),
  /** Account that has paired the television; null until then. */
  accountId: integer().references(() => accounts.id, { onDelete: 'cascade' }),
  profileId: integer().references(() => profiles.id, { onDelete: 'cascade' }),
  /**
   * Device of the television; null until the device is registered. Removing the device also revokes the pairing.
   */
  deviceId: integer().references(() => devices.id, { onDelete: 'cascade' }),
})

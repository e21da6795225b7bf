import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import { moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { devices } from '../devices/devices.table.ts'
import { profiles } from '../profiles/profiles.table.ts'
import { storefronts } from '../storefronts/storefronts.table.ts'

/** Televisions that show a code and wait to be paired, or came in by it just now. */
export const pairings = pgTable('pairings', {
  /** What the television shows. */
  code: text().primaryKey(),
  /** SHA-256 of the secret that the television alone has. */
  secretHash: text().notNull().unique(),
  storefrontId: integer()
    .notNull()
    .references(() => storefronts.id),
  /** What the television says of itself. */
  userAgent: text().notNull(),
  startedAt: moment().notNull(),
  expiresAt: moment().notNull(),
  /** Who has paired it; null while it waits. */
  accountId: integer().references(() => accounts.id, { onDelete: 'cascade' }),
  profileId: integer().references(() => profiles.id, { onDelete: 'cascade' }),
  /** What the television was registered as; null until it came in. Who removes it takes the pairing back too. */
  deviceId: integer().references(() => devices.id, { onDelete: 'cascade' }),
})

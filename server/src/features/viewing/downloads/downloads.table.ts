import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'

/**
 * The licences of downloads that devices hold. A licence is released when its device removes the download. A lost
 * device holds its licences until they expire.
 */
export const heldDownloads = pgTable(
  'held_downloads',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The device's public key. Only this device can open the licence. */
    deviceKey: text().notNull(),
    assetId: integer()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    /** When the licence expires. */
    expiresAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.deviceKey, table.assetId] }),
    // Serves the cascade when an asset is deleted.
    index().on(table.assetId),
  ],
)

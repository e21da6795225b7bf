import { index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'

/**
 * The licences of downloads that devices hold. A device gives up a licence when it removes the download. A device that
 * was lost keeps its licences until they expire.
 */
export const heldDownloads = pgTable(
  'held_downloads',
  {
    accountId: integer()
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    /** The device's public key, for which the licence is sealed. */
    deviceKey: text().notNull(),
    assetId: integer()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    /** When the licence expires. */
    expiresAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.deviceKey, table.assetId] }),
    // For the deletion of assets.
    index().on(table.assetId),
  ],
)

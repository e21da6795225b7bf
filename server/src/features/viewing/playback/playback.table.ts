import { doublePrecision, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { assets } from '../../inventory/titles/titles.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/** Position of a profile in an asset. */
export const seekPositions = pgTable(
  'seek_positions',
  {
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    assetId: integer()
      .notNull()
      .references(() => assets.id, { onDelete: 'cascade' }),
    seconds: doublePrecision().notNull(),
    /** Time of the last play, which orders the lists of a profile. */
    updatedAt: moment().notNull(),
    /**
     * Time when the profile removed the asset from its list of titles to continue watching; null if the asset is in
     * the list. A later play restores the asset to the list.
     */
    removedAt: moment(),
  },
  (table) => [
    primaryKey({ columns: [table.profileId, table.assetId] }),
    index('seek_positions_recent').on(table.profileId, table.updatedAt.desc()),
  ],
)

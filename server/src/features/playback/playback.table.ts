import { boolean, doublePrecision, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { moment } from '../../database/columns.ts'
import { assets } from '../catalogue/catalogue.table.ts'
import { profiles } from '../profiles/profiles.table.ts'

/** Where a profile stopped in an asset. */
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
    /** Whether the profile took it out of what it goes on watching; the next position puts it back. */
    removed: boolean().notNull().default(false),
    updatedAt: moment().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.profileId, table.assetId] }),
    index('seek_positions_recent').on(table.profileId, table.updatedAt.desc()),
  ],
)

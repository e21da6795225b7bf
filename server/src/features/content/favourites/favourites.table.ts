import { sql } from 'drizzle-orm'
import { check, integer, pgTable, serial, uniqueIndex } from 'drizzle-orm/pg-core'
import { channels } from '../../inventory/line-up/line-up.table.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/** Favourites of profiles: assets, categories or channels. The order of the ids is the order of addition. */
export const favourites = pgTable(
  'favourites',
  {
    id: serial().primaryKey(),
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    assetId: integer().references(() => assets.id, { onDelete: 'cascade' }),
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    channelId: integer().references(() => channels.id, { onDelete: 'cascade' }),
  },
  (table) => [
    uniqueIndex().on(table.profileId, table.assetId),
    uniqueIndex().on(table.profileId, table.categoryId),
    uniqueIndex().on(table.profileId, table.channelId),
    check(
      'favourites_of_one',
      sql`num_nonnulls(${table.assetId}, ${table.categoryId}, ${table.channelId}) = 1`,
    ),
  ],
)

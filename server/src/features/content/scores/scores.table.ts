import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, smallint, uniqueIndex } from 'drizzle-orm/pg-core'
import { moment } from '../../../database/columns.ts'
import { assets, categories } from '../../inventory/titles/titles.table.ts'
import { profiles } from '../../people/profiles/profiles.table.ts'

/** Scores of assets or series, as given by profiles. */
export const scores = pgTable(
  'scores',
  {
    profileId: integer()
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    assetId: integer().references(() => assets.id, { onDelete: 'cascade' }),
    categoryId: integer().references(() => categories.id, { onDelete: 'cascade' }),
    /** Score, 1 to 5. */
    score: smallint().notNull(),
    updatedAt: moment().notNull(),
  },
  (table) => [
    uniqueIndex().on(table.profileId, table.assetId),
    uniqueIndex().on(table.profileId, table.categoryId),
    // The index includes the score, so that an average needs only the index.
    index().on(table.assetId, table.score),
    index().on(table.categoryId, table.score),
    check('scores_of_one', sql`(${table.assetId} is null) <> (${table.categoryId} is null)`),
  ],
)

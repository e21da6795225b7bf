import type { ReviewSummary } from '@ondine/contract/review-summaries'
import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, serial } from 'drizzle-orm/pg-core'
import { assets, categories } from '../../inventory/titles/titles.table.ts'

/** A language model's summary of the reviews of an asset or a series. */
export const reviewSummaries = pgTable(
  'review_summaries',
  {
    id: serial().primaryKey(),
    assetId: integer()
      .unique()
      .references(() => assets.id, { onDelete: 'cascade' }),
    categoryId: integer()
      .unique()
      .references(() => categories.id, { onDelete: 'cascade' }),
    /** Summaries by language. */
    texts: jsonb().$type<SummaryTexts>().notNull(),
  },
  (table) => [
    check('review_summaries_of_one', sql`(${table.assetId} is null) <> (${table.categoryId} is null)`),
  ],
)

/** Summaries by the three-letter code of their language. */
export type SummaryTexts = Record<string, ReviewSummary>

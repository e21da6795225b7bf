import type { ReviewSummary } from '@ondine/contract/review-summaries'
import { sql } from 'drizzle-orm'
import { check, integer, jsonb, pgTable, serial } from 'drizzle-orm/pg-core'
import { assets, categories } from '../catalogue/catalogue.table.ts'

/** What a language model made of the reviews of a title: of an asset, or of a series. */
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
    /** By the language that they are written in. */
    texts: jsonb().$type<SummaryTexts>().notNull(),
  },
  (table) => [
    check('review_summaries_of_one', sql`(${table.assetId} is null) <> (${table.categoryId} is null)`),
  ],
)

/** A summary in each language that it was written in, by its three-letter code. */
export type SummaryTexts = Record<string, ReviewSummary>

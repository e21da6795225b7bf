import type { Block } from '@ondine/contract/rich-text'
import { boolean, index, integer, jsonb, pgTable, serial, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, moment, tsvector } from '../../../database/columns.ts'
import { images } from '../../inventory/titles/titles.table.ts'
import { storefronts } from '../../settings/storefronts/storefronts.table.ts'

/** Written content: articles, pages, sections, questions and answers (V3-34), each in one language. */
export const editorial = pgTable(
  'editorial',
  {
    id: serial().primaryKey(),
    storefrontId: integer()
      .notNull()
      .references(() => storefronts.id, { onDelete: 'cascade' }),
    /** Three-letter code. */
    language: text().notNull(),
    type: text().notNull(),
    slug: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    author: text().notNull(),
    keywords: text().array().notNull(),
    /** Keywords in the form used in addresses. */
    topics: text().array().notNull(),
    /** Position in the lists of its type, the smallest first. Texts without a position follow, the newest first. */
    rank: integer(),
    /** 0 to 6: a child's profile sees texts up to its own level. */
    moralityLevel: integer().notNull(),
    writtenAt: moment().notNull(),
    draft: boolean().notNull(),
    visibleFrom: moment(),
    visibleTo: moment(),
    imageId: text().references(() => images.id),
    imageAlt: text().notNull(),
    imageCredit: text().notNull(),
    readingMinutes: integer().notNull(),
    metadata: jsonb().$type<Record<string, string | number>>().notNull(),
    /** Slugs of texts that the author names as related, in the author's order. */
    related: text().array().notNull(),
    /** Search vector: title (A), keywords (B), description (C) and text (D). Written by a trigger of search. */
    words: tsvector(),
    /** The text, prepared for display when it was imported or written. */
    content: jsonb().$type<Block[]>().notNull(),
    /**
     * Absolute path of the imported folder, and path of the file within it. Both are empty for a text that an operator
     * wrote.
     */
    library: text().notNull(),
    source: text().notNull(),
    /** Digest of the article. An import leaves the row unchanged when the digest is the same as before. */
    fingerprint: text().notNull(),
    /** When the text was hidden, because its file disappeared or an operator removed the text. */
    withdrawnAt: moment(),
    updatedAt: moment().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    uniqueIndex().on(table.storefrontId, table.language, table.type, table.slug),
    index().on(table.storefrontId, table.library),
    index('editorial_words').using('gin', table.words),
  ],
)

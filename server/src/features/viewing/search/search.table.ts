import { type SQL, sql } from 'drizzle-orm'
import {
  bigserial,
  boolean,
  index,
  integer,
  pgEnum,
  pgTable,
  real,
  serial,
  text,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { moment, tsvector } from '../../../database/columns.ts'

export const searchKind = pgEnum('search_kind', ['film', 'episode', 'series', 'channel', 'programme'])
export type SearchKind = (typeof searchKind.enumValues)[number]

/** Languages with a separate index; other languages use the index of the default language. */
export const SEARCH_LANGUAGES = ['fra', 'eng'] as const
export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number]

/**
 * Search documents, from which the index in memory is loaded: one row for each object and language. Triggers write
 * the rows in the transaction that changes the object (`search.index.sql`). The columns for rights are copied too,
 * so that a search returns only documents that its viewer may see.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    id: serial().primaryKey(),
    kind: searchKind().notNull(),
    /** Id of the asset, the category or the channel; 0 for a programme. */
    targetId: integer().notNull().default(0),
    /**
     * `programme_key` of the programmes that share this document: programmes without an asset that have the same titles
     * and the same rating. Empty for other kinds.
     */
    programmeKey: text().notNull().default(''),
    language: text().$type<SearchLanguage>().notNull(),
    /** The title in lower case, without accents, with single spaces between the words. */
    folded: text().notNull(),
    /**
     * Words and stems of the title (A), of people (B), of genres, series and titles in other languages (C), of the
     * description (D).
     */
    words: tsvector().notNull(),
    /** Values for searches by metadata: `AD_LIACTORS=ada lorn`. */
    facets: text().array().notNull(),
    /** Among equal matches, documents with a higher score come first. */
    score: real().notNull(),
    moralityLevel: integer().notNull(),
    adult: boolean().notNull(),
    validFrom: moment().notNull(),
    validTo: moment(),
  },
  (table) => [
    uniqueIndex().on(table.kind, table.targetId, table.programmeKey, table.language),
    // One index per language, because each search is in one language. The indexes have no pending lists,
    // because a search would have to scan them.
    ...SEARCH_LANGUAGES.flatMap((language) => {
      const where = inLanguage(language)
      return [
        index(`search_facets_${language}`)
          .using('gin', table.facets)
          .with({ fastupdate: false })
          .where(where),
        index(`search_score_${language}`).on(table.score.desc(), table.id).where(where),
      ]
    }),
  ],
)

/** Every word in a document, used to correct misspelt words. */
export const searchWords = pgTable(
  'search_words',
  {
    // 64 bits, because every attempt to insert a word consumes a number of the sequence, even for a stored word.
    id: bigserial({ mode: 'number' }).primaryKey(),
    language: text().$type<SearchLanguage>().notNull(),
    word: text().notNull(),
  },
  (table) => [uniqueIndex().on(table.language, table.word)],
)

/** Conditions of an index cannot have parameters, so the language is inlined. */
function inLanguage(language: SearchLanguage): SQL {
  return sql.raw(`language = '${language}'`)
}

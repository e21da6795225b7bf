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
import { moment, tsvector } from '../../database/columns.ts'

export const searchKind = pgEnum('search_kind', ['film', 'episode', 'series', 'channel', 'programme'])
export type SearchKind = (typeof searchKind.enumValues)[number]

/** Languages that have an index of their own; others search in the default one. */
export const SEARCH_LANGUAGES = ['fra', 'eng'] as const
export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number]

/**
 * What is searched, and what the memory of search is read from: one row for each thing and language, which triggers write in the transaction that changes the thing
 * (`search.index.sql`). Rights are copied too, so that the candidates of a search are already those of its viewer.
 */
export const searchDocuments = pgTable(
  'search_documents',
  {
    id: serial().primaryKey(),
    kind: searchKind().notNull(),
    /** Id of the asset, the category or the channel; 0 for a programme. */
    targetId: integer().notNull().default(0),
    /** Programmes that no asset stands behind are one document for each title: `programmes.programme_key`. */
    programmeKey: text().notNull().default(''),
    language: text().$type<SearchLanguage>().notNull(),
    /** The title in lower case, without accents, its words parted by single spaces. */
    folded: text().notNull(),
    /** Words and stems of the title (A), of people (B), of genres, series and titles in other languages (C), of the description (D). */
    words: tsvector().notNull(),
    /** What searches by metadata look for: `AD_LIACTORS=ada lorn`. */
    facets: text().array().notNull(),
    /** Of two equal matches, the one with more comes first. */
    score: real().notNull(),
    moralityLevel: integer().notNull(),
    adult: boolean().notNull(),
    validFrom: moment().notNull(),
    validTo: moment(),
  },
  (table) => [
    uniqueIndex().on(table.kind, table.targetId, table.programmeKey, table.language),
    // An index for each language, since a search is in one. No pending lists: a search would read through them.
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

/** Every word that stands in a document: what a misspelt word is compared with. */
export const searchWords = pgTable(
  'search_words',
  {
    // Every attempt to write a word takes a number, known or not.
    id: bigserial({ mode: 'number' }).primaryKey(),
    language: text().$type<SearchLanguage>().notNull(),
    word: text().notNull(),
  },
  (table) => [uniqueIndex().on(table.language, table.word)],
)

/** A condition of an index takes no parameters, so the language stands in it as text. */
function inLanguage(language: SearchLanguage): SQL {
  return sql.raw(`language = '${language}'`)
}

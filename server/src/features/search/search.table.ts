import { type SQL, sql } from 'drizzle-orm'
import {
  boolean,
  type ExtraConfigColumn,
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

/** Languages that have an index of their own; others search in the default one. */
export const SEARCH_LANGUAGES = ['fra', 'eng'] as const
export type SearchLanguage = (typeof SEARCH_LANGUAGES)[number]

/**
 * What is searched: one row for each thing and language, which triggers write in the transaction that changes the thing
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
    /** Words of the title: of two titles with the wanted words, the shorter one is the closer. */
    titleLength: integer().notNull(),
    /** The title alone. */
    title: tsvector().notNull(),
    /** Title (A), people (B), genres, series and titles in other languages (C). */
    names: tsvector().notNull(),
    /** `names` and the description (D). */
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
      const gin = (name: string, column: ExtraConfigColumn) =>
        index(`search_${name}_${language}`).using('gin', column).with({ fastupdate: false }).where(where)
      return [
        gin('title', table.title),
        gin('names', table.names),
        gin('words', table.words),
        gin('facets', table.facets),
        index(`search_begins_${language}`).on(table.folded.op('text_pattern_ops')).where(where),
        index(`search_score_${language}`).on(table.score.desc(), table.id).where(where),
      ]
    }),
  ],
)

/** Every word that stands in a document: what a misspelt word is compared with. */
export const searchWords = pgTable(
  'search_words',
  {
    language: text().$type<SearchLanguage>().notNull(),
    word: text().notNull(),
  },
  (table) => [
    uniqueIndex().on(table.language, table.word.op('text_pattern_ops')),
    ...SEARCH_LANGUAGES.map((language) =>
      index(`search_near_${language}`)
        .using('gin', table.word.op('gin_trgm_ops'))
        .with({ fastupdate: false })
        .where(inLanguage(language)),
    ),
  ],
)

/** A condition of an index takes no parameters, so the language stands in it as text. */
function inLanguage(language: SearchLanguage): SQL {
  return sql.raw(`language = '${language}'`)
}

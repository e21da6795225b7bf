import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import { asc, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { FastifyBaseLogger } from 'fastify'
import type { Changes } from '../../../database/changes.ts'
import type { Database } from '../../../database/connection.ts'
import { Replica, type RowCopy } from '../../../database/replica.ts'
import { SEARCH_LANGUAGES, type SearchLanguage, searchDocuments, searchWords } from './search.table.ts'
import { type DocumentRow, SearchIndex } from './search-index.ts'
import { SearchedWords } from './searched-words.ts'
import { WordList, type WordRow } from './word-list.ts'

/** Search index in memory. Notices of the database keep it up to date (docs/decisions/0015). */
export class SearchMemory {
  readonly searched: SearchedWords
  readonly #documents: Replica<DocumentRow, ByLanguage<DocumentRow, SearchIndex>>
  readonly #words: Replica<WordRow, ByLanguage<WordRow, WordList>>
  readonly #log: FastifyBaseLogger

  /**
   * @param options.exact whether a search always waits until all changed documents are in the index, even if there
   * are many of them.
   */
  constructor(db: Database, options: { changes: Changes; log: FastifyBaseLogger; exact: boolean }) {
    this.searched = new SearchedWords(db)
    this.#log = options.log
    const documents = async (condition: SQL, limit: number) =>
      await db
        .select({
          id: searchDocuments.id,
          kind: searchDocuments.kind,
          targetId: searchDocuments.targetId,
          programmeKey: searchDocuments.programmeKey,
          language: searchDocuments.language,
          folded: searchDocuments.folded,
          words: sql<string>`${searchDocuments.words}::text`,
          score: searchDocuments.score,
          moralityLevel: searchDocuments.moralityLevel,
          adult: searchDocuments.adult,
          validFrom: milliseconds<number>(searchDocuments.validFrom),
          validTo: milliseconds<number | null>(searchDocuments.validTo),
        })
        .from(searchDocuments)
        .where(condition)
        .orderBy(asc(searchDocuments.id))
        .limit(limit)
    this.#documents = new Replica(
      {
        topic: 'searchDocuments',
        readAfter: async (id, limit) => await documents(gt(searchDocuments.id, id), limit),
        readThese: async (ids) => await documents(inArray(searchDocuments.id, [...ids]), ids.length),
      },
      () => new ByLanguage(() => new SearchIndex()),
      options,
    )
    const words = async (condition: SQL, limit: number) =>
      await db.select().from(searchWords).where(condition).orderBy(asc(searchWords.id)).limit(limit)
    this.#words = new Replica(
      {
        topic: 'searchWords',
        readAfter: async (id, limit) => await words(gt(searchWords.id, id), limit),
        readThese: async (ids) => await words(inArray(searchWords.id, [...ids]), ids.length),
      },
      () => new ByLanguage(() => new WordList()),
      options,
    )
  }

  /** Starts to load the index, so that the first search does not wait for the whole load. */
  warm(): void {
    this.of(DEFAULT_LANGUAGE).catch((error: unknown) =>
      this.#log.warn({ err: error }, 'the search index could not be loaded; the first search tries again'),
    )
  }

  /** Returns the index of a language, which is loaded at the first request. */
  async of(language: SearchLanguage): Promise<{ index: SearchIndex; words: WordList }> {
    const [documents, words] = await Promise.all([this.#documents.current(), this.#words.current()])
    return { index: documents.of(language), words: words.of(language) }
  }
}

/** Converts a moment to a number, which may be infinite. */
function milliseconds<Value>(moment: AnyPgColumn): SQL<Value> {
  return sql<Value>`(extract(epoch from ${moment}) * 1000)::float8`
}

/** One copy of a table's rows per language. */
class ByLanguage<Row extends { language: SearchLanguage }, Copy extends RowCopy<Row>>
  implements RowCopy<Row>
{
  readonly #copies: ReadonlyMap<SearchLanguage, Copy>

  constructor(make: () => Copy) {
    this.#copies = new Map(SEARCH_LANGUAGES.map((language) => [language, make()]))
  }

  get isWorn(): boolean {
    return [...this.#copies.values()].some((copy) => copy.isWorn)
  }

  of(language: SearchLanguage): Copy {
    const copy = this.#copies.get(language)
    if (!copy) throw new Error(`There is no search index in ${language}.`)
    return copy
  }

  add(row: Row): void {
    this.of(row.language).add(row)
  }

  remove(id: number): void {
    for (const copy of this.#copies.values()) copy.remove(id)
  }
}

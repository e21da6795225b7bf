import { and, asc, gt, inArray, type SQL, sql } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { retryOnDeadlock } from '../../../database/retry-on-deadlock.ts'
import { rowsOf } from '../../../database/rows.ts'
import { textArray } from './search.repository.ts'
import { SEARCH_LANGUAGES, type SearchLanguage, searchWords } from './search.table.ts'
import type { WordRow } from './word-list.ts'

/** Words that a part of the documents or texts contains. */
interface ContainedWords {
  /** Number of documents or texts in this part. */
  count: number
  /** Largest id in this part. */
  last: number
  /** Words and stems by language, with spaces between them. */
  byLanguage: readonly { language: SearchLanguage; words: string }[]
}

export async function countWords(db: Database): Promise<number> {
  return await db.$count(searchWords)
}

/** Returns the id of the word at a place in the order of the ids; 0 if there is none. */
export async function idAt(db: Database, place: number): Promise<number> {
  const [row] = await db
    .select({ id: searchWords.id })
    .from(searchWords)
    .orderBy(asc(searchWords.id))
    .offset(place)
    .limit(1)
  return row?.id ?? 0
}

/** Returns stored words with an id larger than `after`, in the order of their ids. */
export async function readStoredWords(db: Database, after: number, limit: number): Promise<WordRow[]> {
  return await db
    .select()
    .from(searchWords)
    .where(gt(searchWords.id, after))
    .orderBy(asc(searchWords.id))
    .limit(limit)
}

/** Returns the words of up to `limit` documents with an id larger than `after`. */
export async function wordsOfDocuments(db: Database, after: number, limit: number): Promise<ContainedWords> {
  return await containedIn(
    db,
    sql`select id, language, words from search_documents where id > ${after} order by id limit ${limit}`,
  )
}

/** Returns the words of up to `limit` texts that are not withdrawn, with an id larger than `after`. */
export async function wordsOfTexts(db: Database, after: number, limit: number): Promise<ContainedWords> {
  return await containedIn(
    db,
    sql`select id, language, words from editorial
      where id > ${after} and withdrawn_at is null and language = any (${textArray(SEARCH_LANGUAGES)})
      order by id limit ${limit}`,
  )
}

async function containedIn(db: Database, part: SQL): Promise<ContainedWords> {
  const byLanguage = await rowsOf<{ language: SearchLanguage; words: string; count: number; last: number }>(
    db,
    sql`
      with part as materialized (${part})
      select language, count(*)::int as count, max(id) as last,
        coalesce(string_agg(array_to_string(tsvector_to_array(words), ' '), ' '), '') as words
      from part group by language`,
  )
  return {
    count: byLanguage.reduce((sum, { count }) => sum + count, 0),
    last: byLanguage.reduce((most, { last }) => Math.max(most, last), 0),
    byLanguage,
  }
}

/**
 * Deletes stored words. Keeps words that the text search of PostgreSQL divides or changes: documents do not contain
 * them in this form, so nobody can tell whether they are used.
 *
 * @returns the deleted words
 */
export async function deleteWords(db: Database, ids: readonly number[]): Promise<WordRow[]> {
  const { word } = searchWords
  const isWhole = sql`tsvector_to_array(to_tsvector('pg_catalog.simple', ${word})) = array[${word}]`
  return await retryOnDeadlock(
    async () =>
      await db
        .delete(searchWords)
        .where(and(inArray(searchWords.id, [...ids]), isWhole))
        .returning(),
  )
}

/** Stores words that are not stored yet. */
export async function addWords(
  db: Database,
  words: readonly Pick<WordRow, 'language' | 'word'>[],
): Promise<void> {
  await db.execute(sql`
    insert into search_words (language, word)
    select language, word from jsonb_to_recordset(${JSON.stringify(words)}::jsonb) as given (language text, word text)
    -- In a fixed order, as all writers of words, so that two transactions never deadlock on each other's words.
    order by language, word
    on conflict do nothing`)
}

/** Returns the running transactions that write words, or documents or texts with words. */
export async function writersOfWords(db: Database): Promise<string[]> {
  const rows = await rowsOf<{ writer: string }>(
    db,
    sql`
      select virtualtransaction as writer from pg_locks
      where relation = 'search_words'::regclass and mode = 'RowExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.map(({ writer }) => writer)
}

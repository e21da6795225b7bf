import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../../../database/connection.ts'
import { Pace } from '../../../database/pace.ts'
import { SEARCH_LANGUAGES, type SearchLanguage } from './search.table.ts'
import type { WordRow } from './word-list.ts'
import {
  addWords,
  countWords,
  deleteWords,
  idAt,
  readStoredWords,
  wordsOfDocuments,
  wordsOfTexts,
  writersOfWords,
} from './words.repository.ts'

/** Maximum number of words that a sweep examines, because it holds them in memory. */
const MOST_WORDS = 100_000
/** Maximum number of words, and of documents, in a slice. */
export const MOST_AT_ONCE = 500
/** Maximum number of texts in a slice. Texts have many more words than documents. */
const MOST_TEXTS = 50
/** Interval at which the sweep checks whether other transactions have ended, in milliseconds. */
const LOOK_MS = 250

/** Ids of stored words, by language and word. */
type Words = ReadonlyMap<SearchLanguage, Map<string, number>>

/**
 * Deletes stored words that no document and no text contains any more, so that searches are not corrected to them.
 * Triggers only add words. If `signal` aborts the sweep, single words may be missing until their document is
 * written again.
 *
 * @param night number of the night. If there are more than `most` words, each night examines another part of them.
 * @returns the number of deleted words
 */
export async function sweepWords(
  db: Database,
  night: number,
  signal: AbortSignal,
  most = MOST_WORDS,
): Promise<number> {
  const unused = await wordsOfNight(db, night, most, signal)
  await removeContained(db, unused, signal)
  const pace = new Pace(MOST_AT_ONCE)
  const gone: WordRow[] = []
  const ids = [...unused.values()].flatMap((ofLanguage) => [...ofLanguage.values()])
  await pace.over(ids, async (some) => void gone.push(...(await deleteWords(db, some))), signal)
  if (gone.length === 0) return 0
  // A transaction that ran during the deletion may have found a deleted word still stored, and so may have written a
  // document without storing the word. The words of such documents are stored again.
  await untilWritten(db, signal)
  await removeContained(db, unused, signal)
  const back = gone.filter(({ language, word }) => unused.get(language)?.has(word) !== true)
  await pace.over(back, async (some) => await addWords(db, some), signal)
  return gone.length - back.length
}

/** Reads the words that a night examines. */
async function wordsOfNight(db: Database, night: number, most: number, signal: AbortSignal): Promise<Words> {
  const parts = Math.max(1, Math.ceil((await countWords(db)) / most))
  const words: Words = new Map(SEARCH_LANGUAGES.map((language) => [language, new Map<string, number>()]))
  let left = most
  let after = (await idAt(db, (night % parts) * most)) - 1
  await slices(MOST_AT_ONCE, signal, async (rows) => {
    const limit = Math.min(rows, left)
    const some = await readStoredWords(db, after, limit)
    for (const { id, language, word } of some) words.get(language)?.set(word, id)
    after = some.at(-1)?.id ?? after
    left -= some.length
    return left > 0 && some.length === limit
  })
  return words
}

/** Removes the words that a document or a text contains. */
async function removeContained(db: Database, words: Words, signal: AbortSignal): Promise<void> {
  for (const [read, most] of [
    [wordsOfDocuments, MOST_AT_ONCE],
    [wordsOfTexts, MOST_TEXTS],
  ] as const) {
    let after = 0
    await slices(most, signal, async (rows) => {
      const { count, last, byLanguage } = await read(db, after, rows)
      for (const { language, words: contained } of byLanguage) {
        const ids = words.get(language)
        for (const word of contained.split(' ')) ids?.delete(word)
      }
      after = last
      return count === rows && [...words.values()].some(({ size }) => size > 0)
    })
  }
}

/** Runs slices of at most `most` rows until `work` returns false. @throws the reason of `signal` */
async function slices(
  most: number,
  signal: AbortSignal,
  work: (rows: number) => Promise<boolean>,
): Promise<void> {
  const pace = new Pace(most)
  let isMore = true
  while (isMore) {
    signal.throwIfAborted()
    isMore = await pace.slice(work)
  }
}

/** Waits until all transactions have ended that are writing words now. */
async function untilWritten(db: Database, signal: AbortSignal): Promise<void> {
  let left = await writersOfWords(db)
  while (left.length > 0) {
    await pause(LOOK_MS, undefined, { signal })
    const running = await writersOfWords(db)
    left = left.filter((writer) => running.includes(writer))
  }
}

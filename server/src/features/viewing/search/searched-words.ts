import type { Database } from '../../../database/connection.ts'
import { readStems, readWords } from './search.repository.ts'
import type { SearchLanguage } from './search.table.ts'
import type { Word } from './terms.ts'

/** Most texts, and most words, that are cached. */
const MOST_KEPT = 5000

/**
 * Cache of recent searches as PostgreSQL folds and stems them. The result never changes while the service runs, and a
 * separate statement per search took longer than the search itself.
 */
export class SearchedWords {
  readonly #db: Database
  readonly #texts = new Map<string, readonly Word[]>()
  readonly #stems = new Map<string, Word>()

  constructor(db: Database) {
    this.#db = db
  }

  /** Cached version of {@link readWords}. */
  async read(text: string, language: SearchLanguage): Promise<readonly Word[]> {
    const key = `${language} ${text}`
    const words = this.#texts.get(key) ?? (await readWords(this.#db, text, language))
    keep(this.#texts, key, words)
    return words
  }

  /** Cached version of {@link readStems}. */
  async stems(
    words: readonly string[],
    language: SearchLanguage,
  ): Promise<ReadonlyMap<string, string | null>> {
    const stems = new Map<string, string | null>()
    const missing: string[] = []
    for (const word of words) {
      const known = this.#stems.get(`${language} ${word}`)
      if (known) stems.set(word, known.stem)
      else missing.push(word)
    }
    for (const read of await readStems(this.#db, missing, language)) {
      stems.set(read.word, read.stem)
      keep(this.#stems, `${language} ${read.word}`, read)
    }
    return stems
  }
}

/** Moves an entry to the end; the least recently used one is evicted when there are too many. */
function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.size > MOST_KEPT ? kept.keys() : []
  if (oldest !== undefined) kept.delete(oldest)
}

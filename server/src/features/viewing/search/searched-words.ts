import { LRUCache } from 'lru-cache'
import type { Database } from '../../../database/connection.ts'
import { readStems, readWords } from './search.repository.ts'
import type { SearchLanguage } from './search.table.ts'
import type { Word } from './terms.ts'

/** Maximum number of cached texts, and of cached words. */
const MOST_KEPT = 5000

/**
 * Cache of the words of recent searches, as PostgreSQL folds and stems them. The result for a text never changes
 * while the service runs. A statement for each search would take longer than the search itself.
 */
export class SearchedWords {
  readonly #db: Database
  readonly #texts = new LRUCache<string, readonly Word[]>({ max: MOST_KEPT })
  readonly #stems = new LRUCache<string, Word>({ max: MOST_KEPT })

  constructor(db: Database) {
    this.#db = db
  }

  /** Cached version of {@link readWords}. */
  async read(text: string, language: SearchLanguage): Promise<readonly Word[]> {
    const key = `${language} ${text}`
    const known = this.#texts.get(key)
    if (known) return known
    const words = await readWords(this.#db, text, language)
    this.#texts.set(key, words)
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
      this.#stems.set(`${language} ${read.word}`, read)
    }
    return stems
  }
}

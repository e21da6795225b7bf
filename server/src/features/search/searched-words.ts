import type { Database } from '../../database/connection.ts'
import { readStems, readWords } from './search.repository.ts'
import type { SearchLanguage } from './search.table.ts'
import type { Word } from './terms.ts'

/** Texts, and words, that are remembered at once. */
const MOST_KEPT = 5000

/**
 * What was searched for lately, as PostgreSQL folds and stems it, which depends on nothing that changes while the service runs: a
 * statement of its own for each search took longer than finding.
 */
export class SearchedWords {
  readonly #db: Database
  readonly #texts = new Map<string, readonly Word[]>()
  readonly #stems = new Map<string, Word>()

  constructor(db: Database) {
    this.#db = db
  }

  /** As {@link readWords}. */
  async read(text: string, language: SearchLanguage): Promise<readonly Word[]> {
    const key = `${language} ${text}`
    const words = this.#texts.get(key) ?? (await readWords(this.#db, text, language))
    keep(this.#texts, key, words)
    return words
  }

  /** The stems of folded words, as {@link readStems} tells them. */
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

/** Puts it last; what was not asked for longest goes when there is too much. */
function keep<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.delete(key)
  kept.set(key, value)
  const [oldest] = kept.size > MOST_KEPT ? kept.keys() : []
  if (oldest !== undefined) kept.delete(oldest)
}

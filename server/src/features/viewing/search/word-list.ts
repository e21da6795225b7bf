import type { RowCopy } from '../../../database/replica.ts'
import type { SearchLanguage } from './search.table.ts'
import { allowedEdits, editsBetween, likeliest, SHORTEST_GUESS, SHORTEST_PREFIX } from './terms.ts'

/** Word that a document contains. */
export interface WordRow {
  id: number
  language: SearchLanguage
  word: string
}

/** Words of one length, with a bit mask of the letters of each word. */
interface Alike {
  words: string[]
  letters: number[]
}

/** Every word of one language, in memory, used to correct misspelt words. */
export class WordList implements RowCopy<WordRow> {
  readonly #words = new Set<string>()
  /** Words by their first letters. */
  readonly #beginnings = new Map<string, string[]>()
  readonly #lengths = new Map<number, Alike>()
  #isWorn = false

  /** Whether a word was removed. Then the whole list is loaded again, because it cannot remove single words. */
  get isWorn(): boolean {
    return this.#isWorn
  }

  add({ word }: WordRow): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    entryOf(this.#beginnings, word.slice(0, SHORTEST_PREFIX), () => []).push(word)
    const alike = entryOf(this.#lengths, word.length, () => ({ words: [], letters: [] }))
    alike.words.push(word)
    alike.letters.push(lettersOf(word))
  }

  remove(): void {
    this.#isWorn = true
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  /** Returns whether a word begins with `beginning`, which has at least {@link SHORTEST_PREFIX} letters. */
  hasBeginning(beginning: string): boolean {
    const alike = this.#beginnings.get(beginning.slice(0, SHORTEST_PREFIX)) ?? []
    return alike.some((word) => word.startsWith(beginning))
  }

  /**
   * Returns the words with the fewest edits from `word`, the likeliest first. Leaves out words with more edits
   * than plausible.
   */
  near(word: string): string[] {
    const letters = lettersOf(word)
    for (let edits = 1; edits <= allowedEdits(word.length); edits++) {
      const found: string[] = []
      for (let length = word.length - edits; length <= word.length + edits; length++) {
        const alike = length < SHORTEST_GUESS ? undefined : this.#lengths.get(length)
        if (!alike) continue
        for (const [index, other] of alike.letters.entries()) {
          // An edit removes at most one letter and adds at most one, so it changes at most two bits.
          if (bitsIn(letters ^ other) > 2 * edits) continue
          const candidate = alike.words[index] ?? ''
          if (editsBetween(word, candidate, edits) === edits) found.push(candidate)
        }
      }
      if (found.length > 0) return likeliest(word, found)
    }
    return []
  }
}

/** Returns the letters of a word as 32 bits; letters of other scripts share some bits. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsIn(number: number): number {
  let left = number
  let bits = 0
  for (; left !== 0; bits++) left &= left - 1
  return bits
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

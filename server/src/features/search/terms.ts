import { genreWords } from '../catalogue/genres.ts'

/** A word in a language. */
export interface Word {
  /** In lower case, without accents. */
  word: string
  /** Null for a word that says nothing in the language, such as an article. */
  stem: string | null
}

/** A word of a search, as the index knows it. */
export interface Term extends Word {
  /** Whether some document has it, or it is too short to be told. */
  known: boolean
  /** Whether some document has a word that begins with it. */
  begins: boolean
}

/** What a term is searched as: any of these. */
export interface Alternatives {
  term: Term
  /** Whole words and stems. */
  lexemes: string[]
  /** Words that begin so, or null. */
  prefix: string | null
  /** What it may have been meant as, the likeliest first; empty when the word stands as it is. */
  near: Word[]
}

/** More words say no more about what is looked for. */
export const MOST_TERMS = 8
/** Shorter beginnings fit too much; titles that begin with them are found apart. */
export const SHORTEST_PREFIX = 3
/** Shorter words have too many neighbours to guess. */
export const SHORTEST_GUESS = 3
const MOST_NEAR = 5

/** Whether a word may be taken for a misspelt one. */
export function canBeMisspelt({ word }: Term): boolean {
  return word.length >= SHORTEST_GUESS && !/^\d+$/.test(word)
}

/** Of words with equally many edits from `word`, those that are likeliest to be meant, in this order. */
export function likeliest(word: string, near: readonly string[]): string[] {
  return near.toSorted((a, b) => strangeness(word, a) - strangeness(word, b)).slice(0, MOST_NEAR)
}

/** Slips are rarer the shorter a word is. */
export function allowedEdits(length: number): number {
  if (length < 6) return 1
  return length < 10 ? 2 : 3
}

/** People rarely miss the first letter, and rarely more than they double or swap. */
function strangeness(word: string, other: string): number {
  return (word[0] === other[0] ? 0 : 2) + (word.length === other.length ? 0 : 1)
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
 *
 * @param most where more are needed, any number above it will do.
 */
export function editsBetween(from: string, to: string, most = Number.POSITIVE_INFINITY): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  let current: number[] = []
  for (let row = 1; row <= from.length; row++) {
    current[0] = row
    let fewest = row
    for (let column = 1; column <= to.length; column++) {
      const same = from.charCodeAt(row - 1) === to.charCodeAt(column - 1)
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped =
        row > 1 &&
        column > 1 &&
        from.charCodeAt(row - 1) === to.charCodeAt(column - 2) &&
        from.charCodeAt(row - 2) === to.charCodeAt(column - 1)
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1)
      current[column] = best
      if (best < fewest) fewest = best
    }
    // Also not by a swap, which looks two rows back: what stands there is at most one less.
    if (fewest > most) return fewest
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return last[to.length] ?? 0
}

/** What each term is searched as. The last one may be unfinished: the viewer is still typing. */
export function alternativesOf(
  terms: readonly Term[],
  nearOf: (term: Term) => readonly Word[],
): Alternatives[] {
  // Articles and their like are left out, unless there is nothing else.
  const telling = terms.filter(({ stem }) => stem !== null)
  const used = telling.length > 0 ? telling : terms
  const last = terms.at(-1)
  return used.map((term) => {
    const near = [...nearOf(term)]
    return {
      term,
      lexemes: unique([
        ...[term, ...near].flatMap(({ word, stem }) => (stem === null ? [word] : [word, stem])),
        ...genreWords(term.word),
      ]),
      prefix: term === last && term.word.length >= SHORTEST_PREFIX ? term.word : null,
      near,
    }
  })
}

/** As PostgreSQL reads it: every term, each by any of its alternatives. */
export function textQuery(alternatives: readonly Alternatives[]): string {
  return alternatives
    .map(({ lexemes, prefix }) => {
      const parts = lexemes.map(quoted)
      if (prefix !== null) parts.push(`${quoted(prefix)}:*`)
      return `(${parts.join(' | ')})`
    })
    .join(' & ')
}

function quoted(lexeme: string): string {
  return `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

function unique(values: string[]): string[] {
  return [...new Set(values)]
}

/** Words and beginnings of words that a page marks in titles. */
export function highlightsOf(alternatives: readonly Alternatives[]): string[] {
  return unique(
    alternatives.flatMap(({ lexemes, prefix }) => (prefix === null ? lexemes : [...lexemes, prefix])),
  )
}

/**
 * The term as it was searched for, when words of it were taken for misspelt ones; null when none was.
 *
 * @param bestTitle the folded title of the best result, which tells which of several near words it was.
 */
export function correctionOf(
  terms: readonly Term[],
  alternatives: readonly Alternatives[],
  bestTitle: string,
): string | null {
  const inTitle = new Set(bestTitle.split(' '))
  let corrected = false
  const words = terms.map((term) => {
    const { near = [] } = alternatives.find((other) => other.term === term) ?? {}
    const meant = near.find(({ word }) => inTitle.has(word)) ?? near[0]
    // Another form of the same word is no mistake.
    if (!meant || meant.stem === term.stem || inTitle.has(term.word)) return term.word
    corrected = true
    return meant.word
  })
  return corrected ? words.join(' ') : null
}

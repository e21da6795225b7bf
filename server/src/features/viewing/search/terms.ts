import { genreWords } from '../../../metadata/genres.ts'

/** Word in a language. */
export interface Word {
  /** The word in lower case, without accents. */
  word: string
  /** Null for a stop word of the language, such as an article. */
  stem: string | null
}

/** Word of a search, and whether the index contains it. */
export interface Term extends Word {
  /** Whether a document contains the word. Also true for a word that is too short to be looked up. */
  known: boolean
  /** Whether a document contains a word that begins with this word. */
  begins: boolean
}

/** Alternatives for a term: a document matches with any of these. */
export interface Alternatives {
  term: Term
  /** Whole words and stems. */
  lexemes: string[]
  /** Prefix of words, or null. */
  prefix: string | null
  /** Likely corrections, the likeliest first; empty if the word is right. */
  near: Word[]
}

/** Maximum number of terms in a search. Further terms are ignored. */
export const MOST_TERMS = 8
/**
 * Length of the shortest prefix that is searched. Shorter prefixes match too much. Titles that begin with a shorter
 * prefix are found separately.
 */
export const SHORTEST_PREFIX = 3
/** Length of the shortest word that is corrected. Shorter words have too many similar words. */
export const SHORTEST_GUESS = 3
const MOST_NEAR = 5

/** Returns whether a word may be misspelt. */
export function canBeMisspelt({ word }: Term): boolean {
  return word.length >= SHORTEST_GUESS && !/^\d+$/.test(word)
}

/**
 * Returns the likeliest corrections of `word`, the likeliest first. All words in `near` differ from `word` by the same
 * number of edits.
 */
export function likeliest(word: string, near: readonly string[]): string[] {
  return near.toSorted((a, b) => strangeness(word, a) - strangeness(word, b)).slice(0, MOST_NEAR)
}

/** Returns the maximum plausible number of edits in a word of `length` letters. */
export function allowedEdits(length: number): number {
  if (length < 6) return 1
  return length < 10 ? 2 : 3
}

/**
 * Ranks a correction, the likeliest lowest. Writers rarely mistype the first letter, and more often replace or
 * swap letters than change the length.
 */
function strangeness(word: string, other: string): number {
  return (word[0] === other[0] ? 0 : 2) + (word.length === other.length ? 0 : 1)
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of adjacent letters between two words.
 *
 * @param most if the number exceeds this, any larger number may be returned.
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
    // Later rows have no value below the lowest value of this row. A swap starts from the previous row, whose
    // value may be lower by one, but a swap costs one.
    if (fewest > most) return fewest
    ;[beforeLast, last, current] = [last, current, beforeLast]
  }
  return last[to.length] ?? 0
}

/** Returns the ways to search each term. The last term may be incomplete, because the viewer is still typing. */
export function alternativesOf(
  terms: readonly Term[],
  nearOf: (term: Term) => readonly Word[],
): Alternatives[] {
  // Leaves out stop words, unless the search has no other words.
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

/**
 * Returns a PostgreSQL query that requires every term, in any of its alternatives.
 *
 * @param fields weights of the fields to search, such as `AB`; by default all fields
 */
export function textQuery(alternatives: readonly Alternatives[], fields = ''): string {
  const within = fields && `:${fields}`
  return alternatives
    .map(({ lexemes, prefix }) => {
      const parts = lexemes.map((lexeme) => `${quoted(lexeme)}${within}`)
      if (prefix !== null) parts.push(`${quoted(prefix)}:*${fields}`)
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

/** Returns the words and prefixes that a page highlights in titles. */
export function highlightsOf(alternatives: readonly Alternatives[]): string[] {
  return unique(
    alternatives.flatMap(({ lexemes, prefix }) => (prefix === null ? lexemes : [...lexemes, prefix])),
  )
}

/**
 * Returns the corrected search text; null if no word was corrected.
 *
 * @param alternatives similar words only if a result contains them
 * @param bestTitle folded title of the best result, which decides between several similar words
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
    // Another form of the searched word is not a correction.
    if (!meant || meant.stem === term.stem || inTitle.has(term.word)) return term.word
    corrected = true
    return meant.word
  })
  return corrected ? words.join(' ') : null
}

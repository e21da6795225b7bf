/** A word of a search, as the index knows it. */
export interface Term {
  /** In lower case, without accents. */
  word: string
  /** Null for a word that says nothing in the language, such as an article. */
  stem: string | null
  /** Whether some document has it. */
  known: boolean
  /** Whether some document has a word that begins with it. */
  begins: boolean
}

/** A word of the index that a misspelt one may have meant. */
export interface Near {
  word: string
  stem: string | null
}

/** What a term is searched as: any of these. */
export interface Alternatives {
  term: Term
  /** Whole words and stems. */
  lexemes: string[]
  /** Words that begin so, or null. */
  prefix: string | null
  /** What it may have been meant as, the nearest first; empty when the word stands as it is. */
  near: Near[]
}

/** More words say no more about what is looked for. */
export const MOST_TERMS = 8
/** Shorter beginnings fit too much; titles that begin with them are found apart. */
export const SHORTEST_PREFIX = 3
/** Shorter words have too many neighbours to guess. */
const SHORTEST_GUESS = 3
/** Up to this length all words at one edit are tried; longer ones share enough trigrams to be found by them. */
const LONGEST_TRIED = 5
const MOST_NEAR = 5
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Whether a word may be taken for a misspelt one. */
export function canBeMisspelt({ word }: Term): boolean {
  return word.length >= SHORTEST_GUESS && !/^\d+$/.test(word)
}

/** Words to look up at once: what one slip of a finger makes of `word`. Swapped letters always; the rest for short words. */
export function slips(word: string): string[] {
  const found = new Set<string>()
  for (let at = 0; at < word.length - 1; at++) {
    found.add(word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2))
  }
  if (word.length <= LONGEST_TRIED) {
    for (let at = 0; at <= word.length; at++) {
      if (at < word.length) found.add(word.slice(0, at) + word.slice(at + 1))
      for (const letter of LETTERS) {
        found.add(word.slice(0, at) + letter + word.slice(at))
        if (at < word.length) found.add(word.slice(0, at) + letter + word.slice(at + 1))
      }
    }
  }
  found.delete(word)
  return [...found]
}

/** Of words that look like `word`, those that are near enough to be meant, the nearest first. */
export function nearest(word: string, candidates: readonly Near[]): Near[] {
  const allowed = allowedEdits(word.length)
  const ranked = candidates
    .map((near) => ({ near, edits: editsBetween(word, near.word) }))
    .filter(({ near, edits }) => edits > 0 && edits <= allowed && near.word.length >= SHORTEST_GUESS)
    .sort((a, b) => a.edits - b.edits || strangeness(word, a.near.word) - strangeness(word, b.near.word))
  const fewest = ranked[0]?.edits ?? 0
  return ranked
    .filter(({ edits }) => edits === fewest)
    .slice(0, MOST_NEAR)
    .map(({ near }) => near)
}

/** Slips are rarer the shorter a word is. */
function allowedEdits(length: number): number {
  if (length < 6) return 1
  return length < 10 ? 2 : 3
}

/** People rarely miss the first letter, and rarely more than they double or swap. */
function strangeness(word: string, other: string): number {
  return (word[0] === other[0] ? 0 : 2) + (word.length === other.length ? 0 : 1)
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
export function editsBetween(from: string, to: string): number {
  const a = Array.from(from)
  const b = Array.from(to)
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1]
      let best = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1)
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}

/** What each term is searched as. The last one may be unfinished: the viewer is still typing. */
export function alternativesOf(
  terms: readonly Term[],
  nearOf: (term: Term) => readonly Near[],
): Alternatives[] {
  // Articles and their like are left out, unless there is nothing else.
  const telling = terms.filter(({ stem }) => stem !== null)
  const used = telling.length > 0 ? telling : terms
  const last = terms.at(-1)
  return used.map((term) => {
    const near = [...nearOf(term)]
    return {
      term,
      lexemes: unique([term, ...near].flatMap(({ word, stem }) => (stem === null ? [word] : [word, stem]))),
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

import type { RowCopy } from '../../../database/replica.ts'
import { entryOf, fieldsOf, Postings, slotOf } from './postings.ts'
import type { SearchKind, SearchLanguage } from './search.table.ts'
import { type Alternatives, SHORTEST_PREFIX } from './terms.ts'

/** Document in the index. */
export interface IndexedDocument {
  id: number
  kind: SearchKind
  language: SearchLanguage
  targetId: number
  programmeKey: string
  /** Title of the document in lower case, without accents. */
  folded: string
  score: number
  moralityLevel: number
  adult: boolean
  /** Milliseconds since the Unix epoch. */
  validFrom: number
  validTo: number | null
}

/** A document as read from the database. */
export interface DocumentRow extends IndexedDocument {
  /** The words and stems of the document with their fields, in the format of a `tsvector` of PostgreSQL. */
  words: string
}

/** Search in the index. */
export interface TextQuery {
  alternatives: readonly Alternatives[]
  /** All terms, separated by single spaces. */
  folded: string
  /**
   * Whether a title that begins with the whole search text matches too. True if the last term is too short for a
   * lookup.
   */
  begins: boolean
}

/** Fields of a document: title, people, genres and similar, description. In PostgreSQL, they are A to D. */
const TITLE = 8
const ABOUT = 1
const COMMA = 44
const LETTER_A = 65
/** Weight of a word by the fields that contain it. */
const WEIGHTS = Float64Array.from(
  { length: 16 },
  (_, fields) =>
    (fields & TITLE ? 1 : 0) + (fields & 4 ? 0.6 : 0) + (fields & 2 ? 0.3 : 0) + (fields & 1 ? 0.05 : 0),
)
/**
 * Factors for inexact matches: another form of the searched word, a similar word, and a word that begins with the
 * searched word.
 */
const FORM = 0.9
const NEAR = 0.8
const BEGINNING = 0.7
/** The index is rebuilt when more than half of its documents, and at least this many, are deleted. */
const WORN = 5000

/**
 * Inverted index of the documents of one language, in memory. Replaces the ranking of rows in the database. Every
 * search is one pass over the postings of its words.
 */
export class SearchIndex implements RowCopy<DocumentRow> {
  readonly #documents: (IndexedDocument | undefined)[] = []
  /**
   * Values for ranking, by slot. Separate arrays, because a search for a common word would be slow if it read each
   * document object.
   */
  readonly #titleWords: number[] = []
  readonly #firstLetters: number[] = []
  readonly #scores: number[] = []
  readonly #slots = new Map<number, number>()
  /** The entries of each word. Most words are in only one document: then the value is the entry itself. */
  readonly #postings = new Map<string, Postings | number>()
  /** Words by their first letters. */
  readonly #beginnings = new Map<string, string[]>()
  /** Documents by the first letter of their title. */
  readonly #initials = new Map<string, number[]>()
  #room = 0
  /**
   * State of the present search by slot: number of matched terms, number of terms matched in the title, weight of
   * all matched terms, and the same weight without the current term.
   */
  #met = new Uint8Array(0)
  #inTitle = new Uint8Array(0)
  #place = new Float64Array(0)
  #before = new Float64Array(0)
  /**
   * `touched`: the slots that contain the first term. `found`: the slots that a search finds, with their
   * ranks. All searches share these buffers, because a search may match every document.
   */
  #touched = new Uint32Array(0)
  #touches = 0
  #found = new Uint32Array(0)
  #ranks = new Float64Array(0)

  get isWorn(): boolean {
    const gone = this.#documents.length - this.#slots.size
    return gone > WORN && gone > this.#slots.size
  }

  add({ words, ...document }: DocumentRow): void {
    this.remove(document.id)
    const slot = this.#documents.push(document) - 1
    this.#slots.set(document.id, slot)
    this.#titleWords.push(Math.min(document.folded.split(' ').length, 999))
    this.#firstLetters.push(document.folded.charCodeAt(0))
    this.#scores.push(Math.min(Math.max(document.score, 0), 1000) / 1e6)
    // `words` has the form `'houl':2A,7 'phar':9`. The words of documents are folded, so no word contains a quote.
    for (let at = 1; at > 0; ) {
      const end = words.indexOf("'", at)
      if (end === -1) break
      const next = words.indexOf("'", end + 1)
      this.#note(words.slice(at, end), slot, fieldsIn(words, end + 2, next === -1 ? words.length : next - 1))
      at = next + 1
    }
    const initial = document.folded.charAt(0)
    const alike = this.#initials.get(initial)
    if (alike) alike.push(slot)
    else this.#initials.set(initial, [slot])
  }

  remove(id: number): void {
    const slot = this.#slots.get(id)
    if (slot === undefined) return
    this.#slots.delete(id)
    this.#documents[slot] = undefined
  }

  /**
   * Returns the matching documents that `accepts` allows, the best first: matches in titles, then in names, then in
   * descriptions.
   */
  find(
    { alternatives, folded, begins }: TextQuery,
    accepts: (document: IndexedDocument) => boolean,
    limit: number,
  ): IndexedDocument[] {
    this.#makeRoom()
    this.#touches = 0
    for (const [term, alternative] of alternatives.entries()) this.#meet(term, alternative)
    const terms = alternatives.length
    let count = 0
    const take = (slot: number, inTitle: boolean) => {
      this.#found[count] = slot
      this.#ranks[count++] = this.#rankOf(slot, inTitle, folded)
    }
    for (let at = 0; at < this.#touches; at++) {
      const slot = this.#touched[at] ?? 0
      if (this.#met[slot] !== terms) continue
      const inTitle = this.#inTitle[slot] === terms
      take(slot, inTitle || (begins && this.#documents[slot]?.folded.startsWith(folded) === true))
    }
    if (begins) {
      for (const slot of this.#initials.get(folded.charAt(0)) ?? []) {
        if (this.#met[slot] !== terms && this.#documents[slot]?.folded.startsWith(folded) === true)
          take(slot, true)
      }
    }
    for (let at = 0; at < this.#touches; at++) {
      const slot = this.#touched[at] ?? 0
      this.#met[slot] = 0
      this.#inTitle[slot] = 0
      this.#place[slot] = 0
    }
    return this.#best(count, accepts, limit)
  }

  /** Returns those of the lexemes that one of the documents contains. */
  containedIn(documents: readonly IndexedDocument[], lexemes: readonly string[]): Set<string> {
    if (lexemes.length === 0) return new Set()
    const slots = new Set(documents.map(({ id }) => this.#slots.get(id)))
    const isContained = (lexeme: string) => {
      const postings = this.#postings.get(lexeme)
      if (postings === undefined) return false
      if (typeof postings === 'number') return slots.has(slotOf(postings))
      const { entries, length } = postings
      for (let at = 0; at < length; at++) if (slots.has(slotOf(entries[at] ?? 0))) return true
      return false
    }
    return new Set(lexemes.filter(isContained))
  }

  /** Records which documents contain this term and all previous terms, and the weight of this term in them. */
  #meet(term: number, { term: { word, stem }, lexemes, prefix }: Alternatives): void {
    for (const lexeme of lexemes) {
      const worth = lexeme === word ? 1 : lexeme === stem ? FORM : NEAR
      this.#meetAt(term, this.#postings.get(lexeme), worth)
    }
    if (prefix === null) return
    for (const longer of this.#beginnings.get(prefix.slice(0, SHORTEST_PREFIX)) ?? []) {
      if (longer.startsWith(prefix)) this.#meetAt(term, this.#postings.get(longer), BEGINNING)
    }
  }

  #meetAt(term: number, postings: Postings | number | undefined, worth: number): void {
    if (postings === undefined) return
    if (typeof postings === 'number') {
      this.#meetEntry(term, postings, worth)
      return
    }
    const { entries, length } = postings
    for (let at = 0; at < length; at++) this.#meetEntry(term, entries[at] ?? 0, worth)
  }

  #meetEntry(term: number, entry: number, worth: number): void {
    const slot = slotOf(entry)
    const fields = fieldsOf(entry)
    const met = this.#met[slot] ?? 0
    if (met === term) {
      if (term === 0) this.#touched[this.#touches++] = slot
      this.#met[slot] = term + 1
      this.#before[slot] = this.#place[slot] ?? 0
    } else if (met !== term + 1) return
    const place = (this.#before[slot] ?? 0) + worth * (WEIGHTS[fields] ?? 0)
    if (place > (this.#place[slot] ?? 0)) this.#place[slot] = place
    if ((fields & TITLE) !== 0 && this.#inTitle[slot] === term) this.#inTitle[slot] = term + 1
  }

  #note(word: string, slot: number, fields: number): void {
    const known = this.#postings.get(word)
    if (known instanceof Postings) known.add(slot, fields)
    else if (known === undefined) {
      this.#postings.set(word, entryOf(slot, fields))
      if (word.length < SHORTEST_PREFIX) return
      const beginning = word.slice(0, SHORTEST_PREFIX)
      const alike = this.#beginnings.get(beginning)
      if (alike) alike.push(word)
      else this.#beginnings.set(beginning, [word])
    } else this.#postings.set(word, new Postings(known, entryOf(slot, fields)))
  }

  #makeRoom(): void {
    if (this.#documents.length <= this.#room) return
    this.#room = Math.ceil(this.#documents.length * 1.2)
    this.#met = new Uint8Array(this.#room)
    this.#inTitle = new Uint8Array(this.#room)
    this.#place = new Float64Array(this.#room)
    this.#before = new Float64Array(this.#room)
    this.#touched = new Uint32Array(this.#room)
    this.#found = new Uint32Array(this.#room)
    this.#ranks = new Float64Array(this.#room)
  }

  /**
   * Ranks by these criteria, in this order: whether the match is in the title; the exact title; titles that begin
   * with the search text; titles with fewer other words; the weight of the words; the score. Each criterion
   * outweighs all later criteria.
   */
  #rankOf(slot: number, inTitle: boolean, wanted: string): number {
    const lesser = (this.#place[slot] ?? 0) + (this.#scores[slot] ?? 0)
    if (!inTitle) return lesser
    let first = 0
    if (this.#firstLetters[slot] === wanted.charCodeAt(0)) {
      const title = this.#documents[slot]?.folded ?? ''
      first = (title === wanted ? 4e6 : 0) + (title.startsWith(wanted) ? 2e6 : 0)
    }
    return 1e7 + first + (1000 - (this.#titleWords[slot] ?? 1)) * 1000 + lesser
  }

  /**
   * Returns the best accepted documents among the first `count` slots of `#found`. Documents whose rank is too low for
   * the result are not examined.
   */
  #best(count: number, accepts: (document: IndexedDocument) => boolean, limit: number): IndexedDocument[] {
    // Sorting plain numbers is many times faster than sorting documents.
    const sorted = count > limit ? this.#ranks.slice(0, count).sort() : undefined
    for (let most = limit * 2; ; most *= 4) {
      const least = sorted?.at(-most) ?? Number.NEGATIVE_INFINITY
      const among: { document: IndexedDocument; rank: number }[] = []
      for (let at = 0; at < count; at++) {
        const rank = this.#ranks[at] ?? 0
        if (rank < least) continue
        const document = this.#documents[this.#found[at] ?? 0]
        if (document && accepts(document)) among.push({ document, rank })
      }
      if (among.length < limit && most < count) continue
      return among
        .toSorted((one, other) => other.rank - one.rank || one.document.id - other.document.id)
        .slice(0, limit)
        .map(({ document }) => document)
    }
  }
}

/**
 * Returns the fields of a word's positions in a `tsvector`, such as `2A,7`. The letter after a position names the
 * field. A position without a letter is in the last field.
 */
function fieldsIn(vector: string, from: number, to: number): number {
  let fields = 0
  let own = ABOUT
  for (let at = from; at < to; at++) {
    const sign = vector.charCodeAt(at)
    if (sign === COMMA) {
      fields |= own
      own = ABOUT
    } else if (sign >= LETTER_A) own = TITLE >> (sign - LETTER_A)
  }
  return fields | own
}

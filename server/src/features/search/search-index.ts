import type { RowCopy } from '../../database/followed-rows.ts'
import { entryOf, fieldsOf, Postings, slotOf } from './postings.ts'
import type { SearchKind, SearchLanguage } from './search.table.ts'
import { type Alternatives, SHORTEST_PREFIX } from './terms.ts'

/** A document as the index keeps it. */
export interface IndexedDocument {
  id: number
  kind: SearchKind
  language: SearchLanguage
  targetId: number
  programmeKey: string
  /** Its title in lower case, without accents. */
  folded: string
  score: number
  moralityLevel: number
  adult: boolean
  /** Milliseconds since the Unix epoch. */
  validFrom: number
  validTo: number | null
}

/** A document as it is read. */
export interface DocumentRow extends IndexedDocument {
  /** Its words and stems with their fields, as PostgreSQL writes a `tsvector`. */
  words: string
}

/** What is looked for. */
export interface TextQuery {
  alternatives: readonly Alternatives[]
  /** All terms, parted by single spaces. */
  folded: string
  /** Whether titles that begin with all of it fit too: the last term is too short to be looked up. */
  begins: boolean
}

/** Fields of a document: title, people, genres and their like, description. PostgreSQL calls them A to D. */
const TITLE = 8
const ABOUT = 1
const COMMA = 44
const LETTER_A = 65
/** What a word counts by the fields that it stands in. */
const WEIGHTS = Float64Array.from(
  { length: 16 },
  (_, fields) =>
    (fields & TITLE ? 1 : 0) + (fields & 4 ? 0.6 : 0) + (fields & 2 ? 0.3 : 0) + (fields & 1 ? 0.05 : 0),
)
/** How much less a word counts that is not the very one: another form of it, one near to it, one that only begins so. */
const FORM = 0.9
const NEAR = 0.8
const BEGINNING = 0.7
/** It is made anew when more than half of its documents, and so many, are gone. */
const WORN = 5000

/**
 * The documents of one language by their words, in memory: what a search reads instead of ranking rows in the database.
 * Every search is one pass over the postings of its words.
 */
export class SearchIndex implements RowCopy<DocumentRow> {
  readonly #documents: (IndexedDocument | undefined)[] = []
  readonly #slots = new Map<number, number>()
  /** Most words stand in one document only: then it is that entry itself. */
  readonly #postings = new Map<string, Postings | number>()
  /** Words by their first letters. */
  readonly #beginnings = new Map<string, string[]>()
  /** Documents by the first letter of their titles. */
  readonly #initials = new Map<string, number[]>()
  #room = 0
  /** For each slot, while a search runs: how many terms were met, how many in the title, what they count, and did before this term. */
  #met = new Uint8Array(0)
  #inTitle = new Uint8Array(0)
  #place = new Float64Array(0)
  #before = new Float64Array(0)

  get isWorn(): boolean {
    const gone = this.#documents.length - this.#slots.size
    return gone > WORN && gone > this.#slots.size
  }

  add({ words, ...document }: DocumentRow): void {
    this.remove(document.id)
    const slot = this.#documents.push(document) - 1
    this.#slots.set(document.id, slot)
    // `'houl':2A,7 'phar':9`; documents are folded, so that no word has a quote in it.
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

  /** What fits and is accepted, best first: by title, then by names, then by description. */
  find(
    { alternatives, folded, begins }: TextQuery,
    accepts: (document: IndexedDocument) => boolean,
    limit: number,
  ): IndexedDocument[] {
    this.#makeRoom()
    const touched: number[] = []
    for (const [term, alternative] of alternatives.entries()) this.#meet(term, alternative, touched)
    const found: { document: IndexedDocument; rank: number }[] = []
    const take = (slot: number, inTitle: boolean) => {
      const document = this.#documents[slot]
      if (!document || !accepts(document)) return
      found.push({ document, rank: rankOf(document, inTitle, folded, this.#place[slot] ?? 0) })
    }
    for (const slot of touched) {
      if (this.#met[slot] !== alternatives.length) continue
      const inTitle = this.#inTitle[slot] === alternatives.length
      take(slot, inTitle || (begins && this.#documents[slot]?.folded.startsWith(folded) === true))
    }
    if (begins) {
      for (const slot of this.#initials.get(folded.charAt(0)) ?? []) {
        if (
          this.#met[slot] !== alternatives.length &&
          this.#documents[slot]?.folded.startsWith(folded) === true
        )
          take(slot, true)
      }
    }
    for (const slot of touched) {
      this.#met[slot] = 0
      this.#inTitle[slot] = 0
      this.#place[slot] = 0
    }
    return best(found, limit)
  }

  /** Notes which documents that have all terms before this one have it too, and how well. */
  #meet(term: number, { term: { word, stem }, lexemes, prefix }: Alternatives, touched: number[]): void {
    for (const lexeme of lexemes) {
      const worth = lexeme === word ? 1 : lexeme === stem ? FORM : NEAR
      this.#meetAt(term, this.#postings.get(lexeme), worth, touched)
    }
    if (prefix === null) return
    for (const longer of this.#beginnings.get(prefix.slice(0, SHORTEST_PREFIX)) ?? []) {
      if (longer.startsWith(prefix)) this.#meetAt(term, this.#postings.get(longer), BEGINNING, touched)
    }
  }

  #meetAt(term: number, postings: Postings | number | undefined, worth: number, touched: number[]): void {
    if (postings === undefined) return
    if (typeof postings === 'number') {
      this.#meetEntry(term, postings, worth, touched)
      return
    }
    const { entries, length } = postings
    for (let at = 0; at < length; at++) this.#meetEntry(term, entries[at] ?? 0, worth, touched)
  }

  #meetEntry(term: number, entry: number, worth: number, touched: number[]): void {
    const slot = slotOf(entry)
    const fields = fieldsOf(entry)
    const met = this.#met[slot] ?? 0
    if (met === term) {
      if (term === 0) touched.push(slot)
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
  }
}

/** The fields of places in a `tsvector`, such as `2A,7`: a letter behind a number, none for the last field. */
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

/**
 * Titles first: the very title, one that begins so, one with fewer other words. Then by what the words count, then by score.
 * Each outweighs all that come after it.
 */
function rankOf({ folded, score }: IndexedDocument, inTitle: boolean, wanted: string, place: number): number {
  const lesser = place + Math.min(Math.max(score, 0), 1000) / 1e6
  if (!inTitle) return lesser
  const others = Math.min(folded.split(' ').length, 999)
  return (
    1e7 +
    (folded === wanted ? 4e6 : 0) +
    (folded.startsWith(wanted) ? 2e6 : 0) +
    (1000 - others) * 1000 +
    lesser
  )
}

function best(found: { document: IndexedDocument; rank: number }[], limit: number): IndexedDocument[] {
  let among = found
  if (found.length > limit) {
    // Numbers alone are sorted many times faster.
    const least =
      Float64Array.from(found, ({ rank }) => rank)
        .sort()
        .at(-limit) ?? 0
    among = found.filter(({ rank }) => rank >= least)
  }
  return among
    .toSorted((one, other) => other.rank - one.rank || one.document.id - other.document.id)
    .slice(0, limit)
    .map(({ document }) => document)
}

const SMALLEST = 4

/** The documents that have a word, in the order in which they came, and where in each it stands. Compact, since there are millions. */
export class Postings {
  #entries = new Uint32Array(SMALLEST)
  #length = 2

  constructor(first: number, second: number) {
    this.#entries[0] = first
    this.#entries[1] = second
  }

  add(slot: number, fields: number): void {
    if (this.#length === this.#entries.length) {
      const larger = new Uint32Array(Math.ceil(this.#length * 1.5))
      larger.set(this.#entries)
      this.#entries = larger
    }
    this.#entries[this.#length++] = entryOf(slot, fields)
  }

  /** Each as {@link entryOf} makes it; those from {@link length} on are room. */
  get entries(): Uint32Array {
    return this.#entries
  }

  get length(): number {
    return this.#length
  }
}

/** A document and where in it a word stands, as one number. @param slot below 2^28; @param fields four bits */
export function entryOf(slot: number, fields: number): number {
  return slot * 16 + fields
}

export function slotOf(entry: number): number {
  return entry >>> 4
}

export function fieldsOf(entry: number): number {
  return entry & 15
}

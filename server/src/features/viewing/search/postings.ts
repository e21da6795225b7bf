const SMALLEST = 4

/**
 * Documents that contain a word, in the order in which they were added to the index. Each entry also has the
 * fields that contain the word. The form is compact, because there are millions of entries.
 */
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

  /** Entries in the form of {@link entryOf}. Entries from {@link length} on are spare capacity. */
  get entries(): Uint32Array {
    return this.#entries
  }

  get length(): number {
    return this.#length
  }
}

/**
 * Encodes the slot of a document and the fields that contain a word in one number. @param slot below 2^28; @param
 * fields four bits
 */
export function entryOf(slot: number, fields: number): number {
  return slot * 16 + fields
}

export function slotOf(entry: number): number {
  return entry >>> 4
}

export function fieldsOf(entry: number): number {
  return entry & 15
}

/** A body that was made for one answer. */
export interface LentBody {
  body: Buffer
  /** To be called once nothing reads the body any more: it will bear another answer's nonce. */
  giveBack(): void
}

/** Most copies of a page that wait to be used again. More are made when more answers are on their way at once. */
const MOST_COPIES = 4

/**
 * Bytes with gaps, which each answer has filled with its own nonce. The bytes are copied as often as answers are on their way
 * at once, and no oftener: memory outside the heap that comes and goes with each answer would have the whole heap searched
 * several times a second.
 */
export class PageForm {
  readonly #whole: Buffer
  readonly #gaps: number[] = []
  readonly #length: number
  readonly #copies: Buffer[] = []

  /**
   * @param pieces what stands around the gaps
   * @param length of a nonce, in bytes
   */
  constructor(pieces: readonly Buffer[], length: number) {
    const gap = Buffer.alloc(length)
    let end = 0
    for (const piece of pieces.slice(0, -1)) {
      this.#gaps.push(end + piece.length)
      end += piece.length + length
    }
    this.#whole = Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [gap, piece])))
    this.#length = length
  }

  /** What stands around the gaps. */
  get pieces(): Buffer[] {
    const ends = [...this.#gaps, this.#whole.length]
    return ends.map((end, index) =>
      this.#whole.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + this.#length, end),
    )
  }

  /** @throws RangeError for a nonce of another length */
  fill(nonce: string): LentBody {
    if (Buffer.byteLength(nonce) !== this.#length)
      throw new RangeError(`A nonce of ${this.#length} bytes is needed, not of ${Buffer.byteLength(nonce)}`)
    const body = this.#copies.pop() ?? Buffer.from(this.#whole)
    for (const gap of this.#gaps) body.write(nonce, gap)
    let lent = true
    return {
      body,
      giveBack: () => {
        if (lent && this.#copies.length < MOST_COPIES) this.#copies.push(body)
        lent = false
      },
    }
  }
}

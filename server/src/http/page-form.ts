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
  readonly #gaps: readonly number[]
  readonly #length: number
  readonly #copies: Buffer[]

  private constructor(whole: Buffer, gaps: readonly number[], length: number) {
    this.#whole = whole
    this.#gaps = gaps
    this.#length = length
    // What it was made of is the first to be lent: most pages that are drawn for one visitor are answered once.
    this.#copies = [whole]
  }

  /**
   * A page with gaps wherever a nonce stands in it.
   *
   * @param page will be written into
   */
  static of(page: Buffer, nonce: string): PageForm {
    const gaps: number[] = []
    for (let at = page.indexOf(nonce); at !== -1; at = page.indexOf(nonce, at + nonce.length)) gaps.push(at)
    return new PageForm(page, gaps, nonce.length)
  }

  /**
   * @param pieces what stands around the gaps
   * @param length of a nonce, in bytes
   */
  static around(pieces: readonly Buffer[], length: number): PageForm {
    const gap = Buffer.alloc(length)
    const gaps: number[] = []
    let end = 0
    for (const piece of pieces.slice(0, -1)) {
      gaps.push(end + piece.length)
      end += piece.length + length
    }
    const whole = Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [gap, piece])))
    return new PageForm(whole, gaps, length)
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
    // Also while it is lent itself: only its gaps differ.
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

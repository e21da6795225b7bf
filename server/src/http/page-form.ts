import type { PagePiece } from '@ondine/web/api/page-context'
import { type LentBody, lendJoined } from './lent-body.ts'

/** A page in pieces, some shared with other pages, with gaps for the nonce of each answer. */
export class PageForm {
  readonly #pieces: readonly PagePiece[]
  readonly #gaps: readonly number[]
  readonly #length: number

  private constructor(pieces: readonly PagePiece[], gaps: readonly number[], length: number) {
    this.#pieces = pieces
    this.#gaps = gaps
    this.#length = length
  }

  /** Makes a page with a gap at each occurrence of the nonce. No occurrence spans two pieces. */
  static of(pieces: readonly PagePiece[], nonce: string): PageForm {
    const gaps: number[] = []
    let begin = 0
    for (const { bytes, shared } of pieces) {
      let at = shared ? -1 : bytes.indexOf(nonce)
      for (; at !== -1; at = bytes.indexOf(nonce, at + nonce.length)) gaps.push(begin + at)
      begin += bytes.length
    }
    return new PageForm(pieces, gaps, nonce.length)
  }

  /**
   * @param around the text around the gaps
   * @param length length of a nonce, in bytes
   */
  static around(around: readonly Buffer[], length: number): PageForm {
    const gap = Buffer.alloc(length)
    const gaps: number[] = []
    let end = 0
    for (const piece of around.slice(0, -1)) {
      gaps.push(end + piece.length)
      end += piece.length + length
    }
    const whole = around.flatMap((piece, index) => (index === 0 ? [piece] : [gap, piece]))
    return new PageForm([{ bytes: Buffer.concat(whole), shared: false }], gaps, length)
  }

  /** The text around the gaps. */
  get around(): Buffer[] {
    const whole = Buffer.concat(this.#pieces.map(({ bytes }) => bytes))
    const ends = [...this.#gaps, whole.length]
    return ends.map((end, index) =>
      whole.subarray(index === 0 ? 0 : (ends[index - 1] ?? 0) + this.#length, end),
    )
  }

  /** Returns the page with this nonce in its gaps. @throws RangeError for a nonce of another length */
  fill(nonce: string): LentBody {
    if (Buffer.byteLength(nonce) !== this.#length)
      throw new RangeError(`A nonce of ${this.#length} bytes is needed, not of ${Buffer.byteLength(nonce)}`)
    const lent = lendJoined(this.#pieces)
    for (const gap of this.#gaps) lent.body.write(nonce, gap)
    return lent
  }
}

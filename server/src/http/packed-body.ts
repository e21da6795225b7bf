import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Compression of an answer: a value of `content-encoding`. */
export type BodyEncoding = 'br' | 'gzip'

/** Quality of each compression, on the scale of its library. */
export type Qualities = Readonly<Record<BodyEncoding, number>>

/** At these qualities, compressing a page takes two milliseconds and reaches most of the possible saving. */
const QUALITIES: Qualities = { br: 4, gzip: 4 }

const PACKERS: Record<BodyEncoding, (body: Buffer, quality: number) => Promise<Buffer>> = {
  br: async (body, quality) =>
    await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
  gzip: async (body, level) => await promisify(gzip)(body, { level }),
}

/** A body that may be sent to many clients. Each encoding is compressed once, off the main thread. */
export class PackedBody {
  readonly body: Buffer
  readonly #qualities: Qualities
  readonly #packed = new Map<BodyEncoding, Promise<Buffer>>()

  constructor(body: Buffer, qualities = QUALITIES) {
    this.body = body
    this.#qualities = qualities
  }

  /** Returns the body in this encoding, or uncompressed if `encoding` is undefined. */
  async in(encoding: BodyEncoding | undefined): Promise<Buffer> {
    if (encoding === undefined) return this.body
    const known = this.#packed.get(encoding)
    if (known !== undefined) return await known
    const packed = PACKERS[encoding](this.body, this.#qualities[encoding])
    this.#packed.set(encoding, packed)
    try {
      return await packed
    } catch (error) {
      // Forgets the failure, so that the next caller tries again: a body may be cached for long, such as a film's
      // manifest.
      this.#packed.delete(encoding)
      throw error
    }
  }
}

/** Returns the best supported encoding that `accept-encoding` allows; undefined for no compression. */
export function encodingOf(accepted: string | undefined): BodyEncoding | undefined {
  const wished = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(?:\.0*)?$/.test(each))
    .map((each) => each.split(';', 1)[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => wished.includes(encoding))
}

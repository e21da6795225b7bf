import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BodyEncoding } from '../../../http/packed-body.ts'

/** Smaller manifests are sent uncompressed, in one packet. */
const WORTH_PACKING = 1000

/** Higher qualities take several times as long and save one percent. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Body of a manifest for one viewer. */
export interface ManifestBody {
  body: string | Buffer
  /** Its content encoding; undefined for none. */
  encoding: BodyEncoding | undefined
}

/** Manifest that is cached for all its viewers, and compressed once for each encoding. */
export class KeptManifest {
  readonly text: string
  readonly #grows: () => void
  readonly #packed = new Map<BodyEncoding, Promise<Buffer>>()
  #size: number

  /** @param grows is called after `size` has grown */
  constructor(text: string, grows: () => void) {
    this.text = text
    this.#grows = grows
    this.#size = text.length
  }

  /** Approximate memory use, in bytes. */
  get size(): number {
    return this.#size
  }

  async bodyFor(encoding: BodyEncoding | undefined): Promise<ManifestBody> {
    if (!isWorthPacking(this.text, encoding)) return { body: this.text, encoding: undefined }
    return { body: await (this.#packed.get(encoding) ?? this.#pack(encoding)), encoding }
  }

  async #pack(encoding: BodyEncoding): Promise<Buffer> {
    const packing = pack(this.text, encoding)
    this.#packed.set(encoding, packing)
    try {
      const packed = await packing
      this.#size += packed.length
      this.#grows()
      return packed
    } catch (error) {
      // The next request tries again, because a film's manifest is cached for a long time.
      this.#packed.delete(encoding)
      throw error
    }
  }
}

/** Compresses a manifest for a single viewer. */
export async function bodyForOne(text: string, encoding: BodyEncoding | undefined): Promise<ManifestBody> {
  if (!isWorthPacking(text, encoding)) return { body: text, encoding: undefined }
  return { body: await pack(text, encoding), encoding }
}

function isWorthPacking(text: string, encoding: BodyEncoding | undefined): encoding is BodyEncoding {
  return encoding !== undefined && text.length >= WORTH_PACKING
}

/** Compresses outside the main thread. */
async function pack(text: string, encoding: BodyEncoding): Promise<Buffer> {
  return encoding === 'br' ? await promisify(brotliCompress)(text, BROTLI) : await promisify(gzip)(text)
}

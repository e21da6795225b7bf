import { promisify } from 'node:util'
import { brotliDecompress, crc32, gunzip } from 'node:zlib'
import { anotherLike, packAroundGaps, strangeBytes } from '../../http/packed-gaps.ts'
import type { PageEncoding } from '../../http/page-encoding.ts'

/** Smaller manifests go out as they are, in one packet. */
const WORTH_PACKING = 1000

/** Stands in no manifest of itself, and needs no escaping. */
const PLACEHOLDER = '~licence~'

/** Packed by DEFLATE, no name, no time, of no system in particular (RFC 1952, 2.3). */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

/** DEFLATE tells what stands no further back than 32 kB by that; the rest is for what an encoder needs ahead. */
const REACH = 30_000

/** A manifest on its way to one viewer. */
export interface ManifestBody {
  body: string | Buffer
  /** How it is packed; undefined for not at all. */
  encoding: PageEncoding | undefined
}

type Fill = (address: string) => Buffer

/** A manifest that is kept for all viewers. It has gaps where the address stands at which each gets the keys. */
export class KeptManifest {
  readonly #parts: readonly string[]
  readonly #grows: (bytes: number) => void
  readonly #packed = new Map<string, Promise<Fill | undefined>>()
  #size: number

  /**
   * @param write writes it with a text in place of the address
   * @param grows is told how many bytes more are kept from now on
   * @returns undefined when `write` finds that there is none
   */
  static of(
    write: (placeholder: string) => string | null,
    grows: (bytes: number) => void,
  ): KeptManifest | undefined {
    const text = write(PLACEHOLDER)
    return text === null ? undefined : new KeptManifest(text.split(PLACEHOLDER), grows)
  }

  private constructor(parts: readonly string[], grows: (bytes: number) => void) {
    this.#parts = parts
    this.#grows = grows
    this.#size = parts.reduce((sum, part) => sum + part.length, 0)
  }

  /** How much memory it takes, about, in bytes. */
  get size(): number {
    return this.#size
  }

  /**
   * The manifest with `address` in it, packed as its viewer takes it. That is done once for all whose addresses are as long: another
   * length would move what a packed manifest points back to.
   */
  async bodyFor(address: string, encoding: PageEncoding | undefined): Promise<ManifestBody> {
    if (encoding !== undefined && this.#size >= WORTH_PACKING) {
      const key = this.#parts.length === 1 ? encoding : `${encoding} ${address.length}`
      const fill = await (this.#packed.get(key) ?? this.#pack(key, address, encoding))
      if (fill) return { body: fill(address), encoding }
    }
    return { body: this.#parts.join(address), encoding: undefined }
  }

  async #pack(key: string, address: string, encoding: PageEncoding): Promise<Fill | undefined> {
    const packing = packFor(this.#parts, address, encoding)
    this.#packed.set(key, packing)
    try {
      const fill = await packing
      if (!fill) return undefined
      const { length } = fill(address)
      this.#size += length
      this.#grows(length)
      return fill
    } catch (error) {
      // A fault is over with those who wait for it: a film's manifest is kept for long.
      this.#packed.delete(key)
      throw error
    }
  }
}

/**
 * Packs a manifest once for all addresses of one length and ending. The address stands in the packed bytes as it is, once as a
 * rule, and the other places point back to that.
 *
 * @returns undefined if another address would not unpack to its manifest
 */
async function packFor(
  parts: readonly string[],
  address: string,
  encoding: PageEncoding,
): Promise<Fill | undefined> {
  const { around, fillings } = cut(parts, address)
  const packed = await packAroundGaps(encoding === 'br' ? 'br' : 'deflate', around, fillings)
  const length = Buffer.byteLength(parts.join(address))
  const fill: Fill = (other) => {
    const filling = Buffer.from(other)
    const pieces = packed.flatMap((piece, index) => (index === 0 ? [piece] : [filling, piece]))
    return Buffer.concat(encoding === 'br' ? pieces : [GZIP_HEAD, ...pieces, gzipEnd(parts, other, length)])
  }
  const other = anotherLike(address)
  if (!(await unpacksTo(parts.join(other), fill(other), encoding))) return undefined
  if (parts.length > 1) return fill
  const whole = fill(address)
  return () => whole
}

/** A manifest around its gaps, of which there are as few as an encoder can point back to, and what it sees in them. */
function cut(parts: readonly string[], address: string): { around: Buffer[]; fillings: Buffer[] } {
  const [first = '', ...others] = parts
  const around: Buffer[][] = [[Buffer.from(first)]]
  const fillings: Buffer[] = []
  const endings = new Set<string>()
  let before = Infinity
  for (const part of others) {
    const bytes = Buffer.from(part)
    const seen = fillings.at(-1)
    if (seen && before < REACH) {
      around.at(-1)?.push(seen, bytes)
    } else {
      fillings.push(strangeBytes(address, endings))
      around.push([bytes])
    }
    before = bytes.length
  }
  return { around: around.map((pieces) => Buffer.concat(pieces)), fillings }
}

/** What gzip ends with: the checksum of what was packed, and its length in bytes (RFC 1952, 2.3.1). */
function gzipEnd(parts: readonly string[], address: string, length: number): Buffer {
  const end = Buffer.alloc(8)
  const sum = parts.reduce((before, part, index) => crc32(part, index === 0 ? 0 : crc32(address, before)), 0)
  end.writeUInt32LE(sum, 0)
  end.writeUInt32LE(length, 4)
  return end
}

async function unpacksTo(text: string, packed: Buffer, encoding: PageEncoding): Promise<boolean> {
  try {
    const unpacked = await promisify(encoding === 'br' ? brotliDecompress : gunzip)(packed)
    return unpacked.equals(Buffer.from(text))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}

import { randomBytes } from 'node:crypto'
import { constants, createBrotliCompress, createDeflateRaw } from 'node:zlib'

/** How text with gaps is packed: Brotli (RFC 7932), or what is inside of gzip (RFC 1951). */
export type GapCoding = 'br' | 'deflate'

const CODINGS = {
  br: {
    // As much as pays: each further effort takes several times as long for a hundredth.
    open: () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
    flush: constants.BROTLI_OPERATION_FLUSH,
    headOf: (length: number) => {
      // Not the last, not empty, of four half bytes of length, and not compressed; the bits of RFC 7932, 9.2.
      const head = Buffer.alloc(3)
      head.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3)
      return head
    },
  },
  deflate: {
    open: () => createDeflateRaw(),
    flush: constants.Z_SYNC_FLUSH,
    headOf: (length: number) => {
      // Not the last, stored; its length, and the same inverted (RFC 1951, 3.2.4).
      const head = Buffer.alloc(5)
      head.writeUInt16LE(length, 1)
      head.writeUInt16LE(length ^ 0xffff, 3)
      return head
    },
  },
} as const

/**
 * Packs text once for many answers that differ in what stands in its gaps: both formats let bytes stand in a stream as they
 * are.
 *
 * @param around what stands around the gaps
 * @param fillings what the encoder sees in them: bytes as long as what will stand there, see {@link strangeBytes}
 * @returns the packed text around the same gaps. Whether it unpacks to the text is for the caller to see.
 */
export async function packAroundGaps(
  coding: GapCoding,
  around: readonly Buffer[],
  fillings: readonly Buffer[],
): Promise<Buffer[]> {
  const { open, flush, headOf } = CODINGS[coding]
  const encoder = open()
  const chunks: Buffer[] = []
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk))
  const failed = new Promise<never>((_, reject) => {
    encoder.once('error', reject)
  })
  const written = async (bytes: Buffer): Promise<Buffer> => {
    const flushed = new Promise<void>((resolve) => {
      encoder.write(bytes)
      encoder.flush(flush, resolve)
    })
    await Promise.race([flushed, failed])
    return Buffer.concat(chunks.splice(0))
  }
  const packed: Buffer[] = []
  for (const [index, piece] of around.entries()) {
    const bytes = await written(piece)
    const filling = fillings[index]
    packed.push(filling ? Buffer.concat([bytes, headOf(filling.length)]) : bytes)
    // What the encoder makes of it is not used.
    if (filling) await written(filling)
  }
  const ended = new Promise<void>((resolve) => {
    encoder.once('end', resolve)
  })
  encoder.end()
  await Promise.race([ended, failed])
  packed.push(Buffer.concat([packed.pop() ?? Buffer.alloc(0), ...chunks]))
  return packed
}

/**
 * Bytes that no text has, so that an encoder finds them nowhere else, as many as `text` has. They end as it does, because what follows is
 * packed by the two bytes before it. Before that no two of them are alike, as far as `endings` remembers.
 */
export function strangeBytes(text: string, endings: Set<string>): Buffer {
  for (;;) {
    const bytes = Buffer.from(randomBytes(text.length).map((byte) => byte | 0x80))
    bytes.write(text.slice(-2), text.length - 2)
    const ending = bytes.toString('latin1', text.length - 4)
    if (endings.has(ending)) continue
    endings.add(ending)
    return bytes
  }
}

/** Another text that could stand in the gaps which were packed for `text`: as long, and with its ending. */
export function anotherLike(text: string): string {
  return (
    randomBytes(text.length)
      .toString('base64url')
      .slice(0, text.length - 2) + text.slice(-2)
  )
}

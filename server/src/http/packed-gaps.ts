import { randomBytes } from 'node:crypto'
import { constants, createBrotliCompress } from 'node:zlib'

/** Quality: each further step takes several times as long to save a hundredth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Head of a meta-block of `length` bytes that stand as they are: not the last one, not compressed (RFC 7932, 9.2). */
function headOf(length: number): Buffer {
  const head = Buffer.alloc(3)
  head.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3)
  return head
}

/**
 * Packs text with Brotli once for many answers that differ in what stands in its gaps: the format lets bytes stand in a stream
 * as they are.
 *
 * @param around what stands around the gaps
 * @param fillings what the encoder sees in them: bytes as long as what will stand there, see {@link strangeBytes}
 * @returns the packed text around the same gaps. Whether it unpacks to the text is for the caller to see.
 */
export async function packAroundGaps(
  around: readonly Buffer[],
  fillings: readonly Buffer[],
): Promise<Buffer[]> {
  const encoder = createBrotliCompress(BROTLI)
  const chunks: Buffer[] = []
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk))
  const failed = new Promise<never>((_, reject) => {
    encoder.once('error', reject)
  })
  const written = async (bytes: Buffer): Promise<Buffer> => {
    const flushed = new Promise<void>((resolve) => {
      encoder.write(bytes)
      encoder.flush(constants.BROTLI_OPERATION_FLUSH, resolve)
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

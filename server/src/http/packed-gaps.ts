import { randomBytes } from 'node:crypto'
import { constants, createBrotliCompress } from 'node:zlib'

/** Each higher quality takes several times as long and saves only a hundredth. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Returns the header of an uncompressed meta-block of `length` bytes that is not the last one (RFC 7932, 9.2). */
function headOf(length: number): Buffer {
  const head = Buffer.alloc(3)
  head.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3)
  return head
}

/**
 * Compresses text with Brotli once for many answers that differ only in their gaps. Gaps stay uncompressed in the stream, as the format
 * allows.
 *
 * @param around the text around the gaps
 * @param fillings placeholder bytes for the encoder, each as long as the final content of its gap, see {@link strangeBytes}
 * @returns the compressed text around the same gaps. The caller must check that it decompresses to the text.
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
    // The encoder's output for the placeholder is discarded.
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
 * Returns marker bytes that cannot occur in UTF-8 text, so that the encoder finds no match for them elsewhere, as long as `text`. They end
 * with the last two bytes of `text`, because Brotli's context for what follows is the two bytes before it. The two bytes before those are
 * unique among `endings`.
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

/** Returns another text that fits into gaps compressed for `text`: it has the same length and ending. */
export function anotherLike(text: string): string {
  return (
    randomBytes(text.length)
      .toString('base64url')
      .slice(0, text.length - 2) + text.slice(-2)
  )
}

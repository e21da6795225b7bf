import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, constants, createBrotliCompress } from 'node:zlib'
import { PageForm } from './page-form.ts'

/** As much as pays: each further effort takes several times as long for a hundredth. */
const QUALITY = 5

/**
 * Packs a page once for many answers that differ in their nonce, which stands between its pieces: Brotli lets bytes stand in
 * a stream as they are, so each answer puts in its own nonce there. The encoder sees bytes in these places that no text
 * has, so that nothing refers to them; they end as a nonce does, because what follows is packed by the two bytes before it.
 *
 * @returns the packed page with gaps for a nonce; undefined if an answer with another nonce would not unpack to its page
 */
export async function packAround(page: PageForm, nonce: string): Promise<PageForm | undefined> {
  const encoder = createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } })
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
  const endings = new Set<string>()
  for (const [index, piece] of page.around.entries()) {
    if (index > 0) await written(placeholder(nonce, endings))
    packed.push(await written(piece))
  }
  const ended = new Promise<void>((resolve) => {
    encoder.once('end', resolve)
  })
  encoder.end()
  await Promise.race([ended, failed])
  packed.push(Buffer.concat(chunks))
  const form = formOf(packed, nonce.length)
  return (await unpacksTo(form, page, nonce)) ? form : undefined
}

/** The packed pieces around gaps that take a nonce: one of the length and ending of that which they were packed with. */
function formOf(packed: readonly Buffer[], length: number): PageForm {
  // Not the last, not empty, of four half bytes of length, and not compressed; the bits of RFC 7932, 9.2.
  const head = Buffer.alloc(3)
  head.writeUIntLE(((length - 1) << 3) | (1 << 19), 0, 3)
  const end = packed.at(-1) ?? NOTHING
  const pieces = packed.slice(0, -1)
  const last = pieces.length - 1
  return PageForm.around(
    pieces.map((piece, index) => Buffer.concat([piece, index === last ? end : head])),
    length,
  )
}

const NOTHING = Buffer.alloc(0)

/** Bytes as long as a nonce, with its ending before which no two of them are alike. */
function placeholder(nonce: string, endings: Set<string>): Buffer {
  for (;;) {
    const bytes = Buffer.from(randomBytes(nonce.length).map((byte) => byte | 0x80))
    bytes.write(nonce.slice(-2), nonce.length - 2)
    const ending = bytes.toString('latin1', nonce.length - 4)
    if (endings.has(ending)) continue
    endings.add(ending)
    return bytes
  }
}

async function unpacksTo(packed: PageForm, page: PageForm, nonce: string): Promise<boolean> {
  const other =
    randomBytes(nonce.length)
      .toString('base64url')
      .slice(0, nonce.length - 2) + nonce.slice(-2)
  const expected = page.fill(other)
  const { body, giveBack } = packed.fill(other)
  try {
    return expected.body.equals(await promisify(brotliDecompress)(body))
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  } finally {
    giveBack()
    expected.giveBack()
  }
}

import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { anotherLike, packAroundGaps, strangeBytes } from './packed-gaps.ts'
import { PageForm } from './page-form.ts'

/**
 * Compresses a page once for many answers that differ only in the nonce between its pieces, see {@link packAroundGaps}.
 *
 * @returns the compressed page with gaps for a nonce; undefined if it would not decompress to its page with another nonce
 */
export async function packAround(page: PageForm, nonce: string): Promise<PageForm | undefined> {
  const { around } = page
  const endings = new Set<string>()
  const fillings = around.slice(1).map(() => strangeBytes(nonce, endings))
  const packed = PageForm.around(await packAroundGaps(around, fillings), nonce.length)
  return (await unpacksTo(packed, page, nonce)) ? packed : undefined
}

async function unpacksTo(packed: PageForm, page: PageForm, nonce: string): Promise<boolean> {
  const other = anotherLike(nonce)
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

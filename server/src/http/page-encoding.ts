import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { LentBody } from './page-form.ts'
import type { KeptPage } from './visitor-pages.ts'

/** How a page is packed on its way, in the words of `content-encoding`. */
export type PageEncoding = 'br' | 'gzip'

/** For a page that is packed for one answer: most of what can be gained, in two milliseconds. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
const GZIP = { level: 4 }

/** The best of what a client unpacks, by its `accept-encoding`; undefined for none. */
export function encodingOf(accepted: string | undefined): PageEncoding | undefined {
  const wished = (accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .filter((each) => !/;\s*q=0(?:\.0*)?$/.test(each))
    .map((each) => each.split(';', 1)[0]?.trim())
  return (['br', 'gzip'] as const).find((encoding) => wished.includes(encoding))
}

/** A kept page for one answer: with its nonce, and packed. */
export async function packedPage(
  page: KeptPage,
  nonce: string,
  encoding: PageEncoding | undefined,
): Promise<Pick<LentBody, 'giveBack'> & { body: Uint8Array }> {
  const packed = encoding === 'br' ? await page.packed() : undefined
  if (packed !== undefined) return packed.fill(nonce)
  const lent = page.form.fill(nonce)
  if (encoding === undefined) return lent
  const body = await packPage(lent.body, encoding)
  lent.giveBack()
  return { body, giveBack: () => {} }
}

/** A page for one person, packed off the main thread. */
export async function packPage(page: Uint8Array, encoding: PageEncoding | undefined): Promise<Uint8Array> {
  if (encoding === undefined) return page
  return await (encoding === 'gzip' ? promisify(gzip)(page, GZIP) : promisify(brotliCompress)(page, BROTLI))
}

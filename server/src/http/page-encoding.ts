import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { LentBody } from './lent-body.ts'
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
): Promise<LentBody> {
  const packed = encoding === 'br' ? await page.packed() : undefined
  return packed?.fill(nonce) ?? (await packPage(page.form.fill(nonce), encoding))
}

/** A page for one answer, packed off the main thread. */
export async function packPage(page: LentBody, encoding: PageEncoding | undefined): Promise<LentBody> {
  if (encoding === undefined) return page
  const pack =
    encoding === 'gzip' ? promisify(gzip)(page.body, GZIP) : promisify(brotliCompress)(page.body, BROTLI)
  return { body: await pack.finally(page.giveBack), giveBack: () => {} }
}

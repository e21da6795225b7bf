import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { lendJoined } from './lent-body.ts'
import { encodingOf, type PageEncoding, packedPage, packPage } from './page-encoding.ts'
import { VisitorPages } from './visitor-pages.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, BR;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.000, gzip; q=0', undefined],
  ['brotli, gzipped', undefined],
])('chooses the encoding of a page by accept-encoding: %s', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding)
})

const HTML = `<script nonce="first">${'a page '.repeat(400)}</script><p nonce="first">é</p>`

test('encodes a kept page with the nonce of each answer', async () => {
  const page = await new VisitorPages(1).get('/', 0, 'first', async () => ({
    status: 200,
    headers: [],
    document: [{ bytes: Buffer.from(HTML), shared: false }],
  }))
  const expected = HTML.replaceAll('first', 'other')
  expect(Buffer.from((await packedPage(page, 'other', undefined)).body).toString()).toBe(expected)
  expect(gunzipSync((await packedPage(page, 'other', 'gzip')).body).toString()).toBe(expected)
  expect(brotliDecompressSync((await packedPage(page, 'other', 'br')).body).toString()).toBe(expected)
})

test('encodes a personal page as its client accepts', async () => {
  const body = async (encoding: PageEncoding | undefined) =>
    (await packPage(lendJoined([{ bytes: Buffer.from(HTML) }]), encoding)).body
  expect(brotliDecompressSync(await body('br')).toString()).toBe(HTML)
  expect(gunzipSync(await body('gzip')).toString()).toBe(HTML)
  expect((await body(undefined)).toString()).toBe(HTML)
})

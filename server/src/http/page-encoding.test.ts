import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodingOf, packedPage, packPage } from './page-encoding.ts'
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
])('packs a page as its client says it unpacks: %s', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding)
})

const HTML = `<script nonce="first">${'a page '.repeat(400)}</script><p nonce="first">é</p>`

test('packs a kept page for each answer with its own nonce', async () => {
  const page = await new VisitorPages(1).get('/', 0, 'first', async () => ({
    status: 200,
    headers: [],
    document: Buffer.from(HTML),
  }))
  const expected = HTML.replaceAll('first', 'other')
  expect(Buffer.from((await packedPage(page, 'other', undefined)).body).toString()).toBe(expected)
  expect(gunzipSync((await packedPage(page, 'other', 'gzip')).body).toString()).toBe(expected)
  expect(brotliDecompressSync((await packedPage(page, 'other', 'br')).body).toString()).toBe(expected)
})

test('packs the page of one person as the client takes it', async () => {
  const page = Buffer.from(HTML)
  expect(brotliDecompressSync(await packPage(page, 'br')).toString()).toBe(HTML)
  expect(gunzipSync(await packPage(page, 'gzip')).toString()).toBe(HTML)
  expect(await packPage(page, undefined)).toBe(page)
})

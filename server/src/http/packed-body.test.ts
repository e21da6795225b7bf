import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { encodingOf, PackedBody } from './packed-body.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, BR;q=0.5', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.000, gzip; q=0', undefined],
  ['brotli, gzipped', undefined],
])('chooses the encoding of an answer by accept-encoding: %s', (accepted, encoding) => {
  expect(encodingOf(accepted)).toBe(encoding)
})

test('compresses a body once for each encoding', async () => {
  const text = `${'a page '.repeat(400)}é`
  const packed = new PackedBody(Buffer.from(text))
  expect((await packed.in(undefined)).toString()).toBe(text)
  expect(gunzipSync(await packed.in('gzip')).toString()).toBe(text)
  expect(brotliDecompressSync(await packed.in('br')).toString()).toBe(text)
  const [one, other] = await Promise.all([packed.in('br'), packed.in('br')])
  expect(one).toBe(other)
})

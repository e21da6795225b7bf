import { randomBytes } from 'node:crypto'
import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { packAround } from './packed-page.ts'
import { PageForm } from './page-form.ts'

const newNonce = () => randomBytes(16).toString('base64')

/** Compresses a page with gaps for nonces. */
async function packPieces(texts: readonly string[]): Promise<PageForm | undefined> {
  const pieces = texts.map((text) => Buffer.from(text))
  const nonce = newNonce()
  return await packAround(PageForm.around(pieces, nonce.length), nonce)
}

const RANDOM = Array.from({ length: 400 }, () => randomBytes(30).toString('base64'))

test.each<[string, readonly string[]]>([
  ['one piece', ['<p>hello</p>']],
  ['nothing but nonces', ['', '', '']],
  ['a page', ['<script nonce="', '">1</script><style nonce="', '">p{}</style>'.repeat(500), '"></script>']],
  ['what looks like nonces', RANDOM],
  ['other scripts than ours', ['é日本語العربية'.repeat(99), 'é日本語العربية'.repeat(99), '==']],
])('a page compressed once decompresses with the nonce of each answer: %s', async (_, texts) => {
  const packed = await packPieces(texts)
  for (const nonce of [newNonce(), newNonce()]) {
    const body = packed?.fill(nonce).body
    expect(brotliDecompressSync(body ?? '').toString()).toBe(texts.join(nonce))
  }
})

test('compresses across its nonces', async () => {
  const row = (index: number) => `<li nonce="|">${'A film, its year and its genre. '.repeat(3)}${index}</li>`
  const texts = Array.from({ length: 60 }, (_, index) => row(index))
    .join('')
    .split('|')
  const packed = await packPieces(texts)
  expect(packed?.fill(newNonce()).body.length).toBeLessThan(texts.join('').length / 2)
})

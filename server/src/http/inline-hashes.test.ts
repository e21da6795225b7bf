import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { inlineHashes } from './inline-hashes.ts'

const digestOf = (text: string) => `'sha256-${hash('sha256', text, 'base64')}'`

test('lists the inline scripts and styles that a browser runs, and neither files nor data', () => {
  const page = `<html><head><script>first()</script><style data-x="">a{b:c}</style><script async="" src="/a.js"></script>
    <script type="application/json">{"a":1}</script></head><body><p>é &lt;script&gt;no()&lt;/script&gt;</p>
    <script class="x">second("é")</script><style id="theme">d{}</style></body></html>`
  expect(inlineHashes(Buffer.from(page))).toEqual({
    scripts: [digestOf('first()'), digestOf('second("é")')],
    styles: [digestOf('a{b:c}'), digestOf('d{}')],
  })
})

test.each(['', '<p>nothing</p>', '<script', '<script>without an end'])(
  'finds nothing in %j, which ends too early for a script',
  (page) => {
    expect(inlineHashes(Buffer.from(page))).toEqual({ scripts: [], styles: [] })
  },
)

import { expect, test } from 'vitest'
import { PageForm } from './page-form.ts'

const form = (...texts: string[]) =>
  PageForm.around(
    texts.map((text) => Buffer.from(text)),
    5,
  )

test('puts the nonce of the answer into every gap', () => {
  const page = form('<script nonce="', '">é</script><style nonce="', '"></style>')
  const bodies = ['one_1', 'two_2'].map((nonce) => page.fill(nonce).body.toString())
  expect(bodies).toEqual([
    '<script nonce="one_1">é</script><style nonce="one_1"></style>',
    '<script nonce="two_2">é</script><style nonce="two_2"></style>',
  ])
})

test('finds gaps in the pieces of a page that hold its nonce', () => {
  const pieces = ['<a nonce="first">', 'é first', '<b nonce="first">'].map((text, index) => ({
    bytes: Buffer.from(text),
    // Shared pieces hold no nonce, even where they look like it.
    shared: index === 1,
  }))
  const form = PageForm.of(pieces, 'first')
  const lent = ['other', 'third'].map((nonce) => form.fill(nonce).body)
  expect(lent.map(String)).toEqual([
    '<a nonce="other">é first<b nonce="other">',
    '<a nonce="third">é first<b nonce="third">',
  ])
  expect(form.around.map(String)).toEqual(['<a nonce="', '">é first<b nonce="', '">'])
  // Other pages may use the same pieces.
  expect(pieces.map(({ bytes }) => bytes.toString())).toEqual([
    '<a nonce="first">',
    'é first',
    '<b nonce="first">',
  ])
})

test('supports gaps at the beginning and the end, and pages without gaps', () => {
  expect(form('', '').fill('nonce').body.toString()).toBe('nonce')
  expect(form('nothing').fill('nonce').body.toString()).toBe('nothing')
})

test('refuses a nonce that would not fit', () => {
  expect(() => form('<', '>').fill('too long')).toThrow('A nonce of 5 bytes is needed, not of 8')
})

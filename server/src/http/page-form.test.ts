import { expect, test } from 'vitest'
import { PageForm } from './page-form.ts'

const form = (...texts: string[]) =>
  PageForm.around(
    texts.map((text) => Buffer.from(text)),
    5,
  )

test('has each answer’s nonce in every gap', () => {
  const page = form('<script nonce="', '">é</script><style nonce="', '"></style>')
  const bodies = ['one_1', 'two_2'].map((nonce) => page.fill(nonce).body.toString())
  expect(bodies).toEqual([
    '<script nonce="one_1">é</script><style nonce="one_1"></style>',
    '<script nonce="two_2">é</script><style nonce="two_2"></style>',
  ])
})

test('is made of the pieces of a page that bear a nonce', () => {
  const pieces = ['<a nonce="first">', 'é first', '<b nonce="first">'].map((text, index) => ({
    bytes: Buffer.from(text),
    // What others have too bears no nonce, whatever it looks like.
    shared: index === 1,
  }))
  const form = PageForm.of(pieces, 'first')
  const lent = ['other', 'third'].map((nonce) => form.fill(nonce).body)
  expect(lent.map(String)).toEqual([
    '<a nonce="other">é first<b nonce="other">',
    '<a nonce="third">é first<b nonce="third">',
  ])
  expect(form.around.map(String)).toEqual(['<a nonce="', '">é first<b nonce="', '">'])
  // They may be other pages' too.
  expect(pieces.map(({ bytes }) => bytes.toString())).toEqual([
    '<a nonce="first">',
    'é first',
    '<b nonce="first">',
  ])
})

test('stands at its beginning, at its end, and nowhere', () => {
  expect(form('', '').fill('nonce').body.toString()).toBe('nonce')
  expect(form('nothing').fill('nonce').body.toString()).toBe('nothing')
})

test('refuses a nonce that would not fit', () => {
  expect(() => form('<', '>').fill('too long')).toThrow('A nonce of 5 bytes is needed, not of 8')
})

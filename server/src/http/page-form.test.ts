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

test('is made of a page that bears a nonce, whose bytes are lent first', () => {
  const page = Buffer.from('<a nonce="first">é</a><b nonce="first">')
  const form = PageForm.of(page, 'first')
  const lent = form.fill('other')
  expect(lent.body).toBe(page)
  expect(form.fill('third').body.toString()).toBe('<a nonce="third">é</a><b nonce="third">')
  expect(lent.body.toString()).toBe('<a nonce="other">é</a><b nonce="other">')
})

test('stands at its beginning, at its end, and nowhere', () => {
  expect(form('', '').fill('nonce').body.toString()).toBe('nonce')
  expect(form('nothing').fill('nonce').body.toString()).toBe('nothing')
})

test('a body that is still on its way is not written into', () => {
  const page = form('<', '>')
  const first = page.fill('first')
  const second = page.fill('other')
  expect(first.body.toString()).toBe('<first>')
  first.giveBack()
  expect(second.body.toString()).toBe('<other>')
  expect(page.fill('third').body).toBe(first.body)
})

test('a body that is given back twice is lent once', () => {
  const page = form('<', '>')
  const { giveBack } = page.fill('first')
  giveBack()
  giveBack()
  expect(page.fill('other').body).not.toBe(page.fill('third').body)
})

test('refuses a nonce that would not fit', () => {
  expect(() => form('<', '>').fill('too long')).toThrow('A nonce of 5 bytes is needed, not of 8')
})

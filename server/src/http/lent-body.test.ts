import { expect, test } from 'vitest'
import { lendJoined } from './lent-body.ts'

const joined = (...texts: string[]) => lendJoined(texts.map((text) => ({ bytes: Buffer.from(text) })))

test('joins pieces into a body of its own memory', () => {
  const piece = Buffer.from('é')
  const { body } = lendJoined([{ bytes: piece }, { bytes: Buffer.alloc(0) }, { bytes: piece }])
  body.write('X')
  expect(joined('<', 'é', '>').body.toString()).toBe('<é>')
  expect(joined().body).toHaveLength(0)
  expect(piece.toString()).toBe('é')
})

test('memory is reused only after its body is returned', () => {
  const first = joined('first')
  const second = joined('second')
  expect(first.body.toString()).toBe('first')
  first.giveBack()
  const third = joined('third and longer')
  expect(third.body.buffer).toBe(first.body.buffer)
  expect(second.body.toString()).toBe('second')
  expect(third.body.toString()).toBe('third and longer')
})

test('a body that is returned twice is lent once', () => {
  const { giveBack } = joined('first')
  giveBack()
  giveBack()
  expect(joined('second').body.buffer).not.toBe(joined('third').body.buffer)
})

test('memory that is too small for a body stays in the pool', () => {
  const small = joined('small')
  small.giveBack()
  const large = joined('x'.repeat(1_000_000))
  expect(large.body).toHaveLength(1_000_000)
  expect(large.body.buffer).not.toBe(small.body.buffer)
  expect(joined('again').body.buffer).toBe(small.body.buffer)
})

test('keeps only as much memory as a few answers need', () => {
  const many = Array.from({ length: 40 }, (_, index) => joined(`body ${index}`))
  for (const { giveBack } of many) giveBack()
  const known = new Set(many.map(({ body }) => body.buffer))
  const again = Array.from({ length: 40 }, () => joined('again').body.buffer)
  expect(again.filter((each) => known.has(each))).toHaveLength(16)
})

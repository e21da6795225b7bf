import { expect, test } from 'vitest'
import { PreparedAnswer, WrittenAnswer } from './prepared-answer.ts'
import { SharedAnswers } from './shared-answers.ts'

const written = (text: string) => async () => await Promise.resolve(new WrittenAnswer({ text }))

test('an answer is made once for all callers within its time', async () => {
  const shared = new SharedAnswers<WrittenAnswer>(1)
  const [first, second] = await Promise.all([
    shared.get('key', 0, written('one')),
    shared.get('key', 999, written('two')),
  ])
  expect(second).toBe(first)
  expect((await shared.get('key', 1000, written('two'))).envelope).toEqual({ text: 'two' })
  expect((await shared.get('other', 0, written('three'))).envelope).toEqual({ text: 'three' })
})

test.each([
  ['a text', (text: string) => new WrittenAnswer({ text })],
  ['bytes', (text: string) => PreparedAnswer.of(JSON.stringify(text))],
])('returns the previous object when the new body is identical: %s', async (_what, make) => {
  const shared = new SharedAnswers<PreparedAnswer | WrittenAnswer>(1)
  const ask = async (now: number, text: string) => await shared.get('key', now, async () => make(text))
  const first = await ask(0, 'é')
  const again = await ask(1000, 'é')
  const changed = await ask(2000, 'è')
  expect(again).toBe(first)
  expect(changed).not.toBe(first)
  expect(await ask(3000, 'é')).not.toBe(first)
})

test('a failure is neither shared nor compared with the next answer', async () => {
  const shared = new SharedAnswers<WrittenAnswer>(1)
  const failing = async () => await Promise.reject(new Error('no database'))
  await expect(shared.get('key', 0, failing)).rejects.toThrow('no database')
  expect((await shared.get('key', 1, written('one'))).envelope).toEqual({ text: 'one' })
  await expect(shared.get('key', 1001, failing)).rejects.toThrow('no database')
  expect((await shared.get('key', 1002, written('two'))).envelope).toEqual({ text: 'two' })
})

test('a pending answer does not block callers after its time', async () => {
  const shared = new SharedAnswers<WrittenAnswer>(1)
  const hanging = Promise.withResolvers<WrittenAnswer>()
  const first = shared.get('key', 0, async () => await hanging.promise)
  const second = await shared.get('key', 1000, written('two'))
  expect(second.envelope).toEqual({ text: 'two' })
  hanging.resolve(new WrittenAnswer({ text: 'one' }))
  expect((await first).envelope).toEqual({ text: 'one' })
  expect(await shared.get('key', 1001, written('three'))).toBe(second)
})

test('shares nothing when its time is zero', async () => {
  const shared = new SharedAnswers<WrittenAnswer>(0)
  const first = await shared.get('key', 0, written('one'))
  expect(await shared.get('key', 0, written('one'))).not.toBe(first)
})

test('keeps the answers that callers asked for last, by the bytes of their bodies', async () => {
  const shared = new SharedAnswers<WrittenAnswer>(1)
  const made: string[] = []
  const ask = async (key: string) =>
    await shared.get(key, 0, async () => {
      made.push(key)
      return new WrittenAnswer('a'.repeat(7_500_000))
    })
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await ask(key)
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('an answer is made again when the clock was set back by more than its time', async () => {
  const shared = new SharedAnswers<WrittenAnswer>(1)
  const hour = 3_600_000
  const first = await shared.get('key', hour, written('one'))
  expect(await shared.get('key', hour - 999, written('two'))).toBe(first)
  expect((await shared.get('key', 0, written('two'))).envelope).toEqual({ text: 'two' })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PreparedList } from './prepared-list.ts'

const listOf = (names: readonly string[]) => new PreparedList(names, (name) => JSON.stringify({ name }))
const names = ({ envelope }: { envelope: unknown }) =>
  (envelope as { result: { name: string }[] }).result.map(({ name }) => name)

test.each([
  ['none', []],
  ['the first', [0]],
  ['the last', [3]],
  ['neighbours', [1, 2]],
  ['all', [0, 1, 2, 3]],
])('replaces %s of the items', (_which, places) => {
  const list = listOf(['Été', 'b', '🌊 houle', ''])
  const own = list.with(places.map((at) => [at, Buffer.from(JSON.stringify({ name: `à moi ${at}` }))]))
  const expected = ['Été', 'b', '🌊 houle', ''].map((name, at) =>
    places.includes(at) ? `à moi ${at}` : name,
  )
  expect(names(own)).toEqual(expected)
  // Other viewers get the unchanged list.
  expect(names(list.answer)).toEqual(['Été', 'b', '🌊 houle', ''])
})

test('an empty list stays empty', () => {
  expect(names(listOf([]).with([]))).toEqual([])
})

test('replaces any items of any list, whatever their bytes', () => {
  const lists = fc.array(
    fc.tuple(fc.string({ unit: 'grapheme' }), fc.option(fc.string({ unit: 'grapheme' }))),
  )
  fc.assert(
    fc.property(lists, (items) => {
      const own = items.flatMap(([, name], at) =>
        name === null ? [] : [[at, Buffer.from(JSON.stringify({ name }))] as const],
      )
      const answer = listOf(items.map(([name]) => name)).with(own)
      expect(names(answer)).toEqual(items.map(([name, replaced]) => replaced ?? name))
    }),
  )
})

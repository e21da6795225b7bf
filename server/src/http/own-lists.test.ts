import { expect, test } from 'vitest'
import { type OwnItem, OwnLists } from './own-lists.ts'
import type { PreparedAnswer } from './prepared-answer.ts'
import { PreparedList } from './prepared-list.ts'

const film = (name: string) => JSON.stringify({ name })
const list = new PreparedList(['La Houle', 'Récif', 'Encre'], film)
const item = (at: number, name: string): OwnItem => [at, Buffer.from(film(name))]
const renter = (grantId: number) => ({ grantId })
const names = ({ envelope }: PreparedAnswer) =>
  (envelope as { result: { name: string }[] }).result.map(({ name }) => name)

test('a viewer who reads a list again gets the same answer', () => {
  const lists = new OwnLists<string>()
  const [owned, items] = [renter(1), [item(1, 'Récif, loué')]]
  const answer = lists.answer(owned, list, items)
  expect(names(answer)).toEqual(['La Houle', 'Récif, loué', 'Encre'])
  expect(lists.answer(owned, list, [...items])).toBe(answer)
})

test.each<[string, readonly OwnItem[]]>([
  ['another item', [item(1, 'Récif, vu à moitié')]],
  ['an item at another place', [item(2, 'Récif, loué')]],
  ['one item more', [item(1, 'Récif, loué'), item(2, 'Encre, louée')]],
  ['no items', []],
])('a viewer with %s gets another answer', (_what, items) => {
  const lists = new OwnLists<string>()
  const owned = renter(1)
  lists.answer(owned, list, [item(1, 'Récif, loué')])
  expect(names(lists.answer(owned, list, items))).toEqual(names(list.with(items)))
})

test('viewers never get the answers for other viewers or for other lists', () => {
  const lists = new OwnLists<string>()
  const shared = [item(0, 'La Houle, louée')]
  const other = new PreparedList(['Apogée'], film)
  for (let round = 0; round < 2; round++) {
    for (const [owned, read, items] of [
      [renter(1), list, shared],
      [renter(2), list, [item(2, 'Encre, louée')]],
      [renter(1), other, shared],
    ] as const)
      expect(names(lists.answer(owned, read, items))).toEqual(names(read.with(items)))
  }
})

import type { Rail } from '@ondine/contract/catalogue'
import type { Item } from '@ondine/contract/entities'
import { expect, test } from 'vitest'
import { railsForChild } from './child-rails.ts'

function rail(id: string, layout: Rail['layout'], titles: readonly number[]): Rail {
  const items = titles.map((idAsset) => ({ type: 'asset', payload: { idAsset } }) as Item)
  return { id, title: id, layout, items } as Rail
}

const titlesOf = ({ items }: Rail) => items.map((item) => item.type === 'asset' && item.payload.idAsset)

test('rails of a child begin with different titles, and keep all of them', () => {
  const rails = railsForChild([
    rail('cartoons', 'Cover', [1, 2, 3]),
    rail('nature', 'Cover', [1, 4, 5]),
    rail('films', 'Poster', [1, 4, 6]),
    rail('last', 'Poster', [1, 4, 6]),
  ])
  expect(rails.map(titlesOf)).toEqual([
    [1, 2, 3],
    [4, 1, 5],
    [6, 1, 4],
    [1, 4, 6],
  ])
})

test('rails whose order has a meaning stay as they are', () => {
  const begun = { ...rail('begun', 'Poster', [1, 2]), kind: 'continue' } as Rail
  const chosen = { ...rail('chosen', 'Cover', [1, 3, 4]), kind: 'list' } as Rail
  expect(railsForChild([begun, chosen, rail('films', 'Poster', [1, 5, 6])])).toEqual([
    begun,
    chosen,
    rail('films', 'Poster', [5, 1, 6]),
  ])
})

test('one or two titles of a child are wide pictures, which fill a line', () => {
  const rails = [
    rail('two', 'Poster', [1, 2]),
    rail('three', 'Poster', [3, 4, 5]),
    rail('none', 'Poster', []),
  ]
  expect(railsForChild(rails).map(({ layout }) => layout)).toEqual(['Cover', 'Poster', 'Cover'])
})

import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { call } from '../../../api/call.ts'
import { buildCategory } from './asset-builder.ts'
import { playlistQuery } from './list-query.ts'
import { seriesCatalogue, titleCount } from './queries.ts'

vi.mock('../../../api/call.ts', () => ({ call: vi.fn() }))

/** A category with two series, of 8 and 3 episodes, and one film directly in it. */
const series = buildCategory(3, 12, {
  assetCount: 1,
  categories: [buildCategory(4, 8, { isSerie: true }), buildCategory(5, 3, { isSerie: true })],
})
/**
 * Two categories. The second contains `series` and a category of 2 films. One of these films is also in `series`, so
 * the second category has 13 different assets.
 */
const tree = [
  buildCategory(1, 5),
  buildCategory(2, 13, { assetCount: 0, categories: [buildCategory(6, 2), series] }),
]

test('V3-02 a category counts its titles and the titles of its subcategories, each once, a series as one', () => {
  expect([...tree, series].map(titleCount)).toEqual([5, 4, 3])
})

test('V2.1-23, V3-44 the catalogue of series is the configured category, or else the first with series', () => {
  const found = (root: typeof tree, getIdCatalogSeries = 0) =>
    seriesCatalogue(root, { catalogue: { getIdCatalogSeries } })?.idCatalog
  expect(found(tree)).toBe(3)
  expect(found([series])).toBe(3)
  expect(found([buildCategory(1, 5)])).toBeUndefined()
  expect(found(tree, 6)).toBe(6)
  expect(found(tree, 99)).toBe(3)
})

test('V2.1-23 a playlist begins with one series. The viewer’s browser fetches the others, each once', async () => {
  vi.mocked(call).mockResolvedValue({ content: { type: 'category', payload: series }, resume: null })
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9]
  const fetched = () => vi.mocked(call).mock.calls.map(([, input]) => input)
  const of = (some: number[]) => some.map((idCategory) => ({ idAsset: undefined, idCategory }))
  await new QueryClient().fetchInfiniteQuery(playlistQuery(ids))
  expect(fetched()).toEqual(of([1]))
  vi.mocked(call).mockClear()
  await new QueryClient().fetchInfiniteQuery({ ...playlistQuery(ids), pages: 9 })
  expect(fetched()).toEqual(of(ids))
})

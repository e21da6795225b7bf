import type { Category } from '@ondine/contract/entities'
import { expect, test } from 'vitest'
import { categoryOfSeries, titleCount } from './queries.ts'

/** A category as the service presents it, with as many assets in it and below. */
function buildCategory(idCatalog: number, assets: number, differences: Partial<Category> = {}): Category {
  return {
    idCatalog,
    name: '',
    synopsis: '',
    tagline: '',
    fictif: false,
    isSerie: false,
    isSeason: false,
    seasonNumber: 0,
    episodeNumber: 0,
    assetCount: assets,
    absolute_asset_number: assets,
    absolute_not_unique_count: assets,
    relative_asset_number: assets,
    moralityLevel: 0,
    adult: false,
    isBlurred: false,
    isNeedParentalCode: false,
    detailRoute: '',
    parentId: -1,
    trailer: null,
    directMetadata: {},
    images: { default: null, background: null, poster: null, portrait: null, logo: null },
    categories: [],
    assets: [],
    ...differences,
  }
}

/** Two series, of 8 and of 3 episodes, in a category of which one film stands in it itself. */
const series = buildCategory(3, 12, {
  assetCount: 1,
  categories: [buildCategory(4, 8, { isSerie: true }), buildCategory(5, 3, { isSerie: true })],
})
/** As the operator put it below others: with a category of 2 films, one of which is the one above. */
const tree = [
  buildCategory(1, 5),
  buildCategory(2, 13, { assetCount: 0, categories: [buildCategory(6, 2), series] }),
]

test('V3-02 a category has as many titles as stand in it and below it, each once, a series as one', () => {
  expect([...tree, series].map(titleCount)).toEqual([5, 4, 3])
})

test('V2.1-23 the category of series is found wherever it stands', () => {
  expect(categoryOfSeries(tree)?.idCatalog).toBe(3)
  expect(categoryOfSeries([series])?.idCatalog).toBe(3)
  expect(categoryOfSeries([buildCategory(1, 5)])).toBeUndefined()
})

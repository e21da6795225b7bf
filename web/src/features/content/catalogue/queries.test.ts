import type { Category } from '@ondine/contract/entities'
import { expect, test } from 'vitest'
import { categoryOfSeries, titleCount } from './queries.ts'

/**
 * Builds a category in the form that the service returns. `assets` counts the assets of the category and of its
 * sub-categories.
 */
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

test('V2.1-23 finds the category of series at any depth', () => {
  expect(categoryOfSeries(tree)?.idCatalog).toBe(3)
  expect(categoryOfSeries([series])?.idCatalog).toBe(3)
  expect(categoryOfSeries([buildCategory(1, 5)])).toBeUndefined()
})

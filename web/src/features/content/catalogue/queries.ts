import type { Session } from '@ondine/contract/accounts'
import { contentData, hierarchy, homeContent, listContent } from '@ondine/contract/catalogue'
import type { Category } from '@ondine/contract/entities'
import { aISummary } from '@ondine/contract/review-summaries'
import { assetScore } from '@ondine/contract/scores'
import { related } from '@ondine/contract/search'
import type { QueryClient } from '@tanstack/react-query'
import { load } from '../../../api/load.ts'
import { query } from '../../../api/query.ts'
import { configurationOf } from '../../ground/configuration/configuration-query.ts'
import { isChild } from '../../ground/session/session.ts'

/**
 * The tree of categories (V7-04). It is fetched once for each viewer, and again when an operator changes a setting
 * on which it depends.
 */
export const hierarchyQuery = { ...query(hierarchy, {}), staleTime: Number.POSITIVE_INFINITY }

/**
 * Time after which the data of home is stale, in milliseconds. A viewer who returns later then sees titles that
 * were begun on other devices.
 */
const HOME_STALE_MS = 10_000

/**
 * The rails of home (V3-32), which differ for a signed-out viewer, an adult's profile and a child's profile.
 * `shuffle` is the seed of the visit's random order.
 */
export function homeQuery(session: Pick<Session, 'account' | 'profile'>, shuffle: number) {
  const signedIn = isChild(session) ? 'children' : 'connected'
  return {
    ...query(homeContent, { type: session.account === null ? 'disconnected' : signedIn, shuffle }),
    staleTime: HOME_STALE_MS,
  }
}

/** The first items of a category, for a rail. */
export function railQuery(id: number) {
  return query(listContent, { id, limit: 24 })
}

/** Fetches the rails of a category's sub-categories, if its page shows them as rails (V3-52). */
export async function loadSubCategories(queryClient: QueryClient, { categories }: Category): Promise<void> {
  if (configurationOf(queryClient).catalogue.subCategoryLayout !== 'rails') return
  const below = plainCategories(categories)
  await load(Promise.all(below.map(({ idCatalog }) => queryClient.ensureQueryData(railQuery(idCatalog)))))
}

/** An asset with everything that its page shows. */
export function assetQuery(idAsset: number) {
  return query(contentData, { idAsset })
}

/** A series or another category with everything that its page shows. */
export function seriesQuery(idCategory: number) {
  return query(contentData, { idCategory })
}

/** Titles related to a title, by the configured criteria (V7-28). */
export function relatedQuery(contentType: 'asset' | 'category', contentId: number) {
  return query(related, { contentType, contentId, extras: undefined })
}

/** The id of an asset or of a series, which have scores and reviews. */
export type NamedTitle =
  | { idAsset: number; idCategory?: undefined }
  | { idAsset?: undefined; idCategory: number }

/** The viewers' score of a title (V7-16). */
export function scoreQuery({ idAsset, idCategory }: NamedTitle) {
  return query(assetScore, { idAsset, idCategory })
}

/** A language model's summary of a title's reviews (V3-40). */
export function reviewsQuery({ idAsset, idCategory }: NamedTitle) {
  return query(aISummary, { idAsset, idCategory })
}

/** Prefetches the score and the reviews of a title. If the prefetch fails, the page fetches them itself. */
export async function prefetchOpinions(queryClient: QueryClient, title: NamedTitle): Promise<void> {
  const { enabled } = configurationOf(queryClient).catalogue.aiSummary
  await Promise.all([
    queryClient.prefetchQuery(scoreQuery(title)),
    enabled && queryClient.prefetchQuery(reviewsQuery(title)),
  ])
}

/** Finds a category by its id, at any depth of the tree. */
export function categoryInTree(tree: readonly Category[], id: number): Category | undefined {
  return findInTree(tree, ({ idCatalog }) => idCatalog === id)
}

/** Returns the categories that are neither series nor seasons. */
export function plainCategories(categories: readonly Category[]): Category[] {
  return categories.filter(({ isSerie, isSeason }) => !isSerie && !isSeason)
}

/**
 * Returns the catalogue of series: the category that the operator has configured, or else the first one that contains
 * series, at any depth of the tree (V3-44).
 */
export function seriesCatalogue(
  tree: readonly Category[],
  { catalogue }: { catalogue: { getIdCatalogSeries: number } },
): Category | undefined {
  return (
    categoryInTree(tree, catalogue.getIdCatalogSeries) ??
    findInTree(tree, ({ categories }) => categories.some(({ isSerie }) => isSerie))
  )
}

function findInTree(tree: readonly Category[], fits: (category: Category) => boolean): Category | undefined {
  for (const category of tree) {
    const found = fits(category) ? category : findInTree(category.categories, fits)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the number of different titles in a category and its sub-categories. A series counts as one title. */
export function titleCount({ absolute_asset_number, categories }: Category): number {
  // The asset number counts the episodes of a series. Here each series counts as one title.
  return categories.reduce(
    (count, below) => count - below.absolute_asset_number + (below.isSerie ? 1 : titleCount(below)),
    absolute_asset_number,
  )
}

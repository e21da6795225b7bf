import type { Session } from '@ondine/contract/accounts'
import { contentData, hierarchy, homeContent, listContent } from '@ondine/contract/catalogue'
import type { Category } from '@ondine/contract/entities'
import { aISummary } from '@ondine/contract/review-summaries'
import { assetScore } from '@ondine/contract/scores'
import { related } from '@ondine/contract/search'
import type { QueryClient } from '@tanstack/react-query'
import { query } from '../../api/query.ts'
import { isChild } from '../accounts/session.ts'
import { configurationOf } from '../configuration/configuration-query.ts'

/** The tree of categories, fetched once (V7-04): until somebody else watches, or an operator changes what it is made from. */
export const hierarchyQuery = { ...query(hierarchy, {}), staleTime: Number.POSITIVE_INFINITY }

/** What was begun elsewhere shows up when a viewer comes back to home after so many milliseconds. */
const HOME_STALE_MS = 10_000

/** The rails of home for a visitor, a grown-up's profile or a child's (V3-32). `shuffle` is the random order of the visit. */
export function homeQuery(session: Pick<Session, 'account' | 'profile'>, shuffle: number) {
  const signedIn = isChild(session) ? 'children' : 'connected'
  return {
    ...query(homeContent, { type: session.account === null ? 'disconnected' : signedIn, shuffle }),
    staleTime: HOME_STALE_MS,
  }
}

/** As much of a category as a rail shows. */
export function railQuery(id: number) {
  return query(listContent, { id, limit: 24 })
}

/** An asset with all that its page shows. */
export function assetQuery(idAsset: number) {
  return query(contentData, { idAsset })
}

/** A series or another category with all that its page shows. */
export function seriesQuery(idCategory: number) {
  return query(contentData, { idCategory })
}

/** What is like a title, as the configuration says (V7-28). */
export function relatedQuery(contentType: 'asset' | 'category', contentId: number) {
  return query(related, { contentType, contentId, extras: undefined })
}

/** What viewers and reviewers think something of: an asset, or a series. */
export type NamedTitle =
  | { idAsset: number; idCategory?: undefined }
  | { idAsset?: undefined; idCategory: number }

/** What viewers think of a title (V7-16). */
export function scoreQuery({ idAsset, idCategory }: NamedTitle) {
  return query(assetScore, { idAsset, idCategory })
}

/** What a language model made of a title's reviews (V3-40). */
export function reviewsQuery({ idAsset, idCategory }: NamedTitle) {
  return query(aISummary, { idAsset, idCategory })
}

/** What the page of a title says that others think of it. What is missing then is asked for by the page. */
export async function prefetchOpinions(queryClient: QueryClient, title: NamedTitle): Promise<void> {
  const { enabled } = configurationOf(queryClient).catalogue.aiSummary
  await Promise.all([
    queryClient.prefetchQuery(scoreQuery(title)),
    enabled && queryClient.prefetchQuery(reviewsQuery(title)),
  ])
}

/** The category of an id, wherever it stands in the tree. */
export function categoryInTree(tree: readonly Category[], id: number): Category | undefined {
  return findInTree(tree, ({ idCatalog }) => idCatalog === id)
}

/** The first category that series stand in, wherever it stands in the tree itself. */
export function categoryOfSeries(tree: readonly Category[]): Category | undefined {
  return findInTree(tree, ({ categories }) => categories.some(({ isSerie }) => isSerie))
}

function findInTree(tree: readonly Category[], fits: (category: Category) => boolean): Category | undefined {
  for (const category of tree) {
    const found = fits(category) ? category : findInTree(category.categories, fits)
    if (found !== undefined) return found
  }
  return undefined
}

/** How many titles stand in a category and those within it, each once: films, and series as one each. */
export function titleCount({ absolute_asset_number, categories }: Category): number {
  // Counted by assets a series would be its episodes.
  return categories.reduce(
    (count, below) => count - below.absolute_asset_number + (below.isSerie ? 1 : titleCount(below)),
    absolute_asset_number,
  )
}

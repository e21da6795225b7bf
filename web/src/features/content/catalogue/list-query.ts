import { contentData, listContent, type SortOption } from '@ondine/contract/catalogue'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'

/** Number of titles that one call fetches: some rows more than a large screen shows. */
const PAGE_LENGTH = 48

/**
 * How long the unused pages of a list stay in the cache, in milliseconds: longer than a film with a break. When the
 * viewer returns from a title, the list must be long enough for the old scroll position.
 */
export const LIST_KEPT_MS = 4 * 3_600_000

/** Number of further series that are fetched at once for a playlist. */
const SERIES_AT_ONCE = 6

/** Returns the index after the last series of the page of a playlist that begins at `start`. */
const endOfPage = (start: number) => (start === 0 ? 1 : start + SERIES_AT_ONCE)

/**
 * Series with all their episodes and the episode to play next (spec 4). The first page has a single series, because
 * the list of titles is above it, and each series adds all its episodes to the document. Further series are fetched
 * as the viewer scrolls.
 */
export function playlistQuery(ids: readonly number[]) {
  return infiniteQueryOptions({
    // The key begins with the name of the call, so that watching a title invalidates the query.
    queryKey: [contentData.name, { playlist: ids }] as const,
    queryFn: async ({ pageParam }) => {
      const wanted = ids.slice(pageParam, endOfPage(pageParam))
      const answers = await Promise.all(
        wanted.map(async (idCategory) => await call(contentData, { idAsset: undefined, idCategory })),
      )
      return answers.flatMap(({ content, resume }) =>
        content.type === 'category' ? [{ series: content.payload, resume }] : [],
      )
    },
    initialPageParam: 0,
    getNextPageParam: (_last, _pages, start) =>
      endOfPage(start) < ids.length ? endOfPage(start) : undefined,
    gcTime: LIST_KEPT_MS,
  })
}

/** The parameters of a list. */
export interface ListWish {
  /** The id of the category; undefined for the whole catalogue. */
  id: number | undefined
  sort: SortOption
  /** The seed of the random order of this visit. */
  shuffle: number
}

/**
 * The content of a category. Further titles are fetched as the viewer scrolls. Fetched titles stay cached for a
 * viewer who returns to the list.
 */
export function listQuery({ id, sort, shuffle }: ListWish) {
  return infiniteQueryOptions({
    queryKey: [listContent.name, { id, sort, shuffle }] as const,
    queryFn: async ({ pageParam }) =>
      await call(listContent, { id, sort, shuffle, offset: pageParam, limit: PAGE_LENGTH }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_LENGTH ? undefined : pages.length * PAGE_LENGTH),
    gcTime: LIST_KEPT_MS,
  })
}

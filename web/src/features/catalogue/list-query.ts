import { contentData, listContent, type SortOption } from '@ondine/contract/catalogue'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Titles that come at once: some rows more than a large screen shows. */
const PAGE_LENGTH = 48

/** Series of a playlist that come at once. */
const SERIES_AT_ONCE = 6

/** Series with all their episodes, some at a time as the viewer scrolls (decision 4). */
export function playlistQuery(ids: readonly number[]) {
  return infiniteQueryOptions({
    // By the call's name: what was watched meanwhile makes it stale.
    queryKey: [contentData.name, { playlist: ids }] as const,
    queryFn: async ({ pageParam }) => {
      const wanted = ids.slice(pageParam, pageParam + SERIES_AT_ONCE)
      const answers = await Promise.all(
        wanted.map(async (idCategory) => await call(contentData, { idAsset: undefined, idCategory })),
      )
      return answers.flatMap(({ content }) => (content.type === 'category' ? [content.payload] : []))
    },
    initialPageParam: 0,
    getNextPageParam: (_last, pages) =>
      pages.length * SERIES_AT_ONCE < ids.length ? pages.length * SERIES_AT_ONCE : undefined,
  })
}

/** Which list, and in which order. */
export interface ListWish {
  /** The category; undefined for the whole catalogue. */
  id: number | undefined
  sort: SortOption
  /** The random order of this visit. */
  shuffle: number
}

/** What stands in a category, part by part as the viewer scrolls. What has come stays, so that coming back finds it. */
export function listQuery({ id, sort, shuffle }: ListWish) {
  return infiniteQueryOptions({
    queryKey: [listContent.name, { id, sort, shuffle }] as const,
    queryFn: async ({ pageParam }) =>
      await call(listContent, { id, sort, shuffle, offset: pageParam, limit: PAGE_LENGTH }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE_LENGTH ? undefined : pages.length * PAGE_LENGTH),
  })
}

import { listContent, type SortOption } from '@ondine/contract/catalogue'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { call } from '../../api/call.ts'

/** Titles that come at once: some rows more than a large screen shows. */
const PAGE_LENGTH = 48

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

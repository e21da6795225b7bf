import { SEARCH_KEYS } from '@ondine/contract/search'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import type { Wanted } from '../features/viewing/search/queries.ts'
import { readFilter, readSearchQuery } from '../features/viewing/search/search-address.ts'
import { SearchScreen } from '../features/viewing/search/search-screen.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/search/filter/$slug')({
  validateSearch: readSearchQuery,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient, words }, params, deps: { type = 'all' } }) => {
    const filter = readFilter(params.slug)
    if (filter === undefined) throw notFound()
    const wanted: Wanted = { filter, type }
    // A lazy import, because the first load contains the loaders of all routes, but needs no search code.
    const { fetchResults } = await import('../features/viewing/search/fetch-results.ts')
    await fetchResults(queryClient, wanted)
    const conditions = SEARCH_KEYS.flatMap((key) => {
      const value = filter[key]
      return value === undefined ? [] : [{ key, term: `${value.charAt(0).toUpperCase()}${value.slice(1)}` }]
    })
    return {
      wanted,
      term: conditions.map(({ term }) => term).join(', '),
      heading: conditions.map(({ key, term }) => words.t(`search.${key}`, { term })).join(' · '),
      path: pathOf('search-filter', { slug: params.slug }),
    }
  },
  head: ({ match, loaderData }) => {
    if (loaderData === undefined) return notFoundHead(match)
    const { t } = match.context.words
    return routeHead(match.context, {
      title: loaderData.heading,
      description: t('search.lead', { term: loaderData.term }),
      path: match.pathname,
    })
  },
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  return <SearchScreen {...Route.useLoaderData()} />
}

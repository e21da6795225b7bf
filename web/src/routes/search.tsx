import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import type { Wanted } from '../features/viewing/search/queries.ts'
import { readSearchQuery, termOf } from '../features/viewing/search/search-address.ts'
import { SearchScreen } from '../features/viewing/search/search-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/search/$slug')({
  validateSearch: readSearchQuery,
  loaderDeps: ({ search }) => search,
  loader: async ({ context: { queryClient, words }, params, deps }) => {
    const { searchBy, type = 'all' } = deps
    const term = termOf(params.slug, deps)
    const wanted: Wanted = { term, type, ...(searchBy && { searchBy }) }
    // A lazy import, because the first load contains the loaders of all routes, but needs no search code.
    const { fetchResults } = await import('../features/viewing/search/fetch-results.ts')
    await fetchResults(queryClient, wanted)
    const { t } = words
    const path = pathOf('search', { slug: params.slug })
    return {
      wanted,
      term,
      heading: t(`search.${searchBy ?? 'term'}`, { term }),
      path: searchBy ? `${path}?searchBy=${searchBy}` : path,
    }
  },
  head: ({ match, loaderData }) => {
    const { t } = match.context.words
    const term = loaderData?.term ?? ''
    return routeHead(match.context, {
      title: `${t('search.title')} ${loaderData?.heading ?? ''}`,
      description: t('search.lead', { term }),
      path: match.pathname,
      // Each search text has its own address, so search engines must not index this page.
      unlisted: true,
    })
  },
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  return <SearchScreen {...Route.useLoaderData()} />
}

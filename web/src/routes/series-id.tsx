import { slugWithId } from '@ondine/contract/slugs'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { CategoryPage } from '../features/content/catalogue/category-page.tsx'
import { listQuery, playlistQuery } from '../features/content/catalogue/list-query.ts'
import { EmptyPlaylist, Playlist } from '../features/content/catalogue/playlist.tsx'
import {
  categoryInTree,
  hierarchyQuery,
  loadSubCategories,
  seriesCatalogue,
} from '../features/content/catalogue/queries.ts'
import { chosenOrder } from '../features/content/catalogue/sorting.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { missing } from '../features/people/parental/above-level.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/series/{-$id}')({
  loader: async ({ context: { queryClient }, params }) => {
    const tree = await load(queryClient.ensureQueryData(hierarchyQuery))
    const ofSeries = seriesCatalogue(tree, configurationOf(queryClient))
    const catalogue = params.id === undefined ? ofSeries : categoryInTree(tree, idInSlug(params.id))
    if (params.id !== undefined && !catalogue)
      throw await missing(queryClient, { contentType: 'category', contentId: idInSlug(params.id) })
    if (catalogue === undefined)
      return { page: undefined, ids: [], categoryIds: [], path: pathOf('series-id') }
    const { idCatalog, name, synopsis, isSerie, isSeason, categories, detailRoute } = catalogue
    if (isSerie || isSeason) throw redirect({ to: detailRoute })
    const ids = categories.filter((each) => each.isSerie).map((each) => each.idCatalog)
    const list = { id: idCatalog, ...chosenOrder(queryClient) }
    await Promise.all([
      load(queryClient.ensureInfiniteQueryData(listQuery(list))),
      load(queryClient.ensureInfiniteQueryData(playlistQuery(ids))),
      loadSubCategories(queryClient, catalogue),
    ])
    return {
      page: { list, title: name, synopsis },
      ids,
      categoryIds: [idCatalog],
      // The other categories with series have their pages at /category.
      path: catalogue === ofSeries ? pathOf('series-id', { id: slugWithId(name, idCatalog) }) : detailRoute,
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.page?.title ?? match.context.words.t('playlist.title'),
          description: loaderData.page?.synopsis || match.context.words.t('playlist.text'),
          path: loaderData.path,
        }),
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { page, ids } = Route.useLoaderData()
  if (page === undefined) return <EmptyPlaylist />
  return (
    <CategoryPage {...page}>
      <Playlist ids={ids} />
    </CategoryPage>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { playlistQuery } from '../features/content/catalogue/list-query.ts'
import { PlaylistScreen } from '../features/content/catalogue/playlist-screen.tsx'
import { categoryInTree, categoryOfSeries, hierarchyQuery } from '../features/content/catalogue/queries.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { missing } from '../features/people/parental/above-level.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/series/{-$id}')({
  loader: async ({ context: { queryClient }, params }) => {
    const tree = await load(queryClient.ensureQueryData(hierarchyQuery))
    const { getIdCatalogSeries } = configurationOf(queryClient).catalogue
    const catalogue =
      params.id === undefined
        ? (categoryInTree(tree, getIdCatalogSeries) ?? categoryOfSeries(tree))
        : categoryInTree(tree, idInSlug(params.id))
    if (params.id !== undefined && !catalogue)
      throw await missing(queryClient, { contentType: 'category', contentId: idInSlug(params.id) })
    const series = catalogue?.isSerie
      ? [catalogue]
      : (catalogue?.categories ?? []).filter(({ isSerie }) => isSerie)
    const ids = series.map(({ idCatalog }) => idCatalog)
    await load(queryClient.ensureInfiniteQueryData(playlistQuery(ids)))
    const categoryIds = catalogue === undefined ? [] : [catalogue.idCatalog]
    return { title: catalogue?.name ?? '', synopsis: catalogue?.synopsis ?? '', ids, categoryIds }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.title || match.context.words.t('playlist.title'),
          description: loaderData.synopsis || match.context.words.t('playlist.text'),
          path: match.pathname,
        }),
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { title, ids } = Route.useLoaderData()
  return <PlaylistScreen title={title} ids={ids} />
}

import type { Category } from '@ondine/contract/entities'
import { slugWithId } from '@ondine/contract/slugs'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { CategoryPage } from '../features/content/catalogue/category-page.tsx'
import { listQuery } from '../features/content/catalogue/list-query.ts'
import {
  categoryInTree,
  hierarchyQuery,
  loadSubCategories,
  seriesCatalogue,
  seriesQuery,
} from '../features/content/catalogue/queries.ts'
import { chosenOrder } from '../features/content/catalogue/sorting.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { loadSubject } from '../features/people/parental/above-level.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/category/$slug')({
  loader: async ({ context: { queryClient }, params }) => {
    const list = { id: idInSlug(params.slug), ...chosenOrder(queryClient) }
    const [tree] = await loadSubject(
      queryClient,
      { contentType: 'category', contentId: list.id },
      Promise.all([
        queryClient.ensureQueryData(hierarchyQuery),
        queryClient.ensureInfiniteQueryData(listQuery(list)),
      ]),
    )
    // The tree has no empty categories, but an empty category also has a page, which shows its name. The call with
    // `idCategory` finds such a category, and its answer is always a category.
    const category =
      categoryInTree(tree, list.id) ??
      ((await load(queryClient.ensureQueryData(seriesQuery(list.id)))).content.payload as Category)
    // Series, seasons and the catalogue of series have pages of their own (V2.2-13, V2.2-14).
    const { idCatalog, name, isSerie, isSeason, detailRoute } = category
    if (isSerie || isSeason) throw redirect({ to: detailRoute })
    if (idCatalog === seriesCatalogue(tree, configurationOf(queryClient))?.idCatalog)
      throw redirect({ to: pathOf('series-id', { id: slugWithId(name, idCatalog) }) })
    await loadSubCategories(queryClient, category)
    return {
      list,
      title: name,
      synopsis: category.synopsis,
      path: detailRoute,
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.title,
          description: loaderData.synopsis,
          path: loaderData.path,
        }),
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { list, title, synopsis } = Route.useLoaderData()
  return <CategoryPage list={list} title={title} synopsis={synopsis} />
}

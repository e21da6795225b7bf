import type { Category } from '@ondine/contract/entities'
import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { areFew } from '../design/tokens/layouts.ts'
import { CategoryScreen } from '../features/content/catalogue/category-screen.tsx'
import { listQuery } from '../features/content/catalogue/list-query.ts'
import {
  categoryInTree,
  hierarchyQuery,
  railQuery,
  seriesQuery,
  titleCount,
} from '../features/content/catalogue/queries.ts'
import { chosenOrder } from '../features/content/catalogue/sorting.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
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
    if (category.isSerie) throw redirect({ to: category.detailRoute })
    if (configurationOf(queryClient).catalogue.subCategoryLayout === 'rails') {
      const below = category.categories.filter(({ isSerie }) => !isSerie)
      await load(Promise.all(below.map(({ idCatalog }) => queryClient.ensureQueryData(railQuery(idCatalog)))))
    }
    return {
      list,
      title: category.name,
      synopsis: category.synopsis,
      path: category.detailRoute,
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
  const { t } = useTranslation()
  const { list, title, synopsis } = Route.useLoaderData()
  const { data: tree } = useSuspenseQuery(hierarchyQuery)
  const category = categoryInTree(tree, list.id)
  const below = (category?.categories ?? []).filter(({ isSerie, isSeason }) => !isSerie && !isSeason)
  const count = category === undefined ? 0 : titleCount(category)
  const others =
    below.length === 0 && areFew(count)
      ? tree.filter(({ idCatalog, isSerie }) => !isSerie && idCatalog !== list.id)
      : []
  return (
    <CategoryScreen
      key={list.id}
      title={title}
      count={count > 0 ? t('category.count', { count }) : undefined}
      lead={synopsis || undefined}
      categories={below}
      others={others}
      list={list}
    />
  )
}

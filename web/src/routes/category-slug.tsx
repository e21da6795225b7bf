import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { CategoryScreen } from '../features/catalogue/category-screen.tsx'
import { categoryInTree, categoryQuery, hierarchyQuery } from '../features/catalogue/queries.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/category/$slug')({
  loader: async ({ context: { queryClient }, params }) => {
    const id = idInSlug(params.slug)
    const [tree] = await load(
      Promise.all([
        queryClient.ensureQueryData(hierarchyQuery),
        queryClient.ensureQueryData(categoryQuery(id)),
      ]),
    )
    const category = categoryInTree(tree, id)
    if (category?.isSerie === true) throw redirect({ to: category.detailRoute })
    return {
      id,
      title: category?.name ?? '',
      synopsis: category?.synopsis ?? '',
      path: category?.detailRoute ?? '',
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match.context, match.pathname)
      : routeHead(match.context, {
          title: loaderData.title,
          description: loaderData.synopsis,
          path: loaderData.path || match.pathname,
        }),
  component: Screen,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { id, title, synopsis } = Route.useLoaderData()
  const { data: items } = useSuspenseQuery(categoryQuery(id))
  return <CategoryScreen title={title} synopsis={synopsis} items={items} />
}

import { createFileRoute } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { CategoryScreen } from '../features/content/catalogue/category-screen.tsx'
import { listQuery } from '../features/content/catalogue/list-query.ts'
import { chosenOrder } from '../features/content/catalogue/sorting.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/all-content')({
  loader: async ({ context: { queryClient } }) => {
    const list = { id: undefined, ...chosenOrder(queryClient) }
    await load(queryClient.ensureInfiniteQueryData(listQuery(list)))
    return { list }
  },
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('category.all'),
      description: '',
      path: pathOf('assets'),
    }),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  const { t } = useTranslation()
  const { list } = Route.useLoaderData()
  return <CategoryScreen title={t('category.all')} list={list} />
}

import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { CategoriesScreen } from '../features/content/catalogue/categories-screen.tsx'
import { hierarchyQuery } from '../features/content/catalogue/queries.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/category')({
  loader: async ({ context: { queryClient } }) => {
    await load(queryClient.ensureQueryData(hierarchyQuery))
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('category.title'),
      description: t('category.intro'),
      path: pathOf('category'),
    })
  },
  component: CategoriesScreen,
  pendingComponent: ListSkeleton,
})

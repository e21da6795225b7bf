import { useSuspenseQueries } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { load } from '../api/load.ts'
import { CategoryScreen } from '../features/catalogue/category-screen.tsx'
import { itemKey } from '../features/catalogue/item-card.tsx'
import { categoryQuery, hierarchyQuery } from '../features/catalogue/queries.ts'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'
import { words } from '../words/words.ts'

export const Route = createFileRoute('/_shell/all-content')({
  loader: async ({ context: { queryClient } }) => {
    const tree = await load(queryClient.ensureQueryData(hierarchyQuery))
    const ids = tree.map((category) => category.idCatalog)
    await load(Promise.all(ids.map((id) => queryClient.ensureQueryData(categoryQuery(id)))))
    return { ids }
  },
  head: ({ match }) =>
    routeHead(match.context, {
      title: words(match.context.environment.language).t('category.all'),
      description: '',
      path: pathOf('assets'),
    }),
  component: Screen,
})

function Screen() {
  const { t } = useTranslation()
  const { ids } = Route.useLoaderData()
  const items = useSuspenseQueries({ queries: ids.map(categoryQuery) }).flatMap((answer) => answer.data)
  // A title may stand in several categories, and is shown once.
  const unique = [...new Map(items.map((item) => [itemKey(item), item])).values()]
  return <CategoryScreen title={t('category.all')} synopsis="" items={unique} />
}

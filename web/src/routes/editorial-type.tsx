import { EDITORIAL_TYPES } from '@ondine/contract/editorial'
import { createFileRoute, notFound, redirect } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { ArticleListScreen } from '../features/content/editorial/article-list-screen.tsx'
import { articlesQuery, sectionsQuery } from '../features/content/editorial/queries.ts'
import { typeText } from '../features/content/editorial/type-text.ts'
import { countIn, queryReader } from '../features/ground/links/read-query.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({
  page: (value) => {
    const page = countIn(value)
    return page !== undefined && page > 1 && page <= 10_000 ? page : undefined
  },
})

/** The articles of a type (V2.1-20). A type without articles gives a 404. */
export const Route = createFileRoute('/_shell/read/$type')({
  validateSearch: readAddress,
  loaderDeps: ({ search }) => ({ page: search.page ?? 1 }),
  loader: async ({ context: { queryClient }, params: { type }, deps: { page } }) => {
    if (type === EDITORIAL_TYPES.faq) throw redirect({ to: '/page/{-$slug}', params: { slug: 'faq' } })
    const [{ items, section }] = await load(
      Promise.all([
        queryClient.ensureQueryData(articlesQuery(type, page)),
        queryClient.ensureQueryData(sectionsQuery),
      ]),
    )
    if (items.length === 0 && (section === null || page > 1)) throw notFound()
    return { section, image: items[0]?.image ?? null }
  },
  head: ({ match, loaderData, params: { type } }) => {
    if (loaderData === undefined) return notFoundHead(match)
    const { section, image } = loaderData
    const { page } = match.loaderDeps
    return routeHead(match.context, {
      title: section?.title ?? typeText(type, match.context.words.t),
      description: section?.description ?? '',
      path: page === 1 ? match.pathname : `${match.pathname}?page=${page}`,
      image: section?.image ?? image,
    })
  },
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { type } = Route.useParams()
  const { page } = Route.useLoaderDeps()
  return <ArticleListScreen type={type} page={page} />
}

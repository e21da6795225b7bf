import { createFileRoute, redirect } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { ArticleScreen } from '../features/content/editorial/article-screen.tsx'
import { articleQuery, summaryOf } from '../features/content/editorial/queries.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { articleHead, notFoundHead } from '../shell/route-head.ts'

/**
 * An article (V2.1-21). A request with the article's id, with another slug or with another type is redirected to
 * the article's own address.
 */
export const Route = createFileRoute('/_shell/read/$type/$slug')({
  loader: async ({ context: { queryClient }, params: { type, slug } }) => {
    const { content } = await load(queryClient.ensureQueryData(articleQuery(type, slug)))
    const { detailRoute } = content
    if (content.slug !== slug || content.type !== type || !detailRoute.startsWith('/read/'))
      throw redirect({ to: detailRoute })
    return { summary: summaryOf(content) }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined ? notFoundHead(match) : articleHead(match.context, loaderData.summary),
  component: Screen,
  pendingComponent: TextSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { type, slug } = Route.useParams()
  return <ArticleScreen key={slug} type={type} slug={slug} />
}

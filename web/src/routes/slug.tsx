import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { PageScreen } from '../features/content/editorial/page-screen.tsx'
import { pageQuery, summaryOf } from '../features/content/editorial/queries.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, pageContentHead } from '../shell/route-head.ts'

/** Editorial pages by slug. This route matches only if no other route does (V2.1-25). */
export const Route = createFileRoute('/_shell/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    const { content } = await load(queryClient.ensureQueryData(pageQuery(slug)))
    return { summary: summaryOf(content) }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined ? notFoundHead(match) : pageContentHead(match.context, loaderData.summary),
  component: Screen,
  pendingComponent: TextSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const slug = Route.useParams({ select: (params) => params.slug })
  return <PageScreen key={slug} slug={slug} />
}

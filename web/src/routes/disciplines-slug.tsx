import { EDITORIAL_TYPES } from '@ondine/contract/editorial'
import { createFileRoute, redirect } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { DisciplineScreen } from '../features/content/editorial/discipline-screen.tsx'
import { articleQuery, disciplineArticlesQuery, summaryOf } from '../features/content/editorial/queries.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, pageContentHead } from '../shell/route-head.ts'

/** A discipline (V2.1-26, spec 2). */
export const Route = createFileRoute('/_shell/disciplines/$slug')({
  loader: async ({ context: { queryClient }, params: { slug } }) => {
    const [{ content }] = await load(
      Promise.all([
        queryClient.ensureQueryData(articleQuery(EDITORIAL_TYPES.discipline, slug)),
        queryClient.ensureQueryData(disciplineArticlesQuery(slug)),
      ]),
    )
    if (content.slug !== slug) throw redirect({ to: content.detailRoute })
    return { summary: summaryOf(content) }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined ? notFoundHead(match) : pageContentHead(match.context, loaderData.summary),
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const slug = Route.useParams({ select: (params) => params.slug })
  return <DisciplineScreen key={slug} slug={slug} />
}

import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { PageScreen } from '../features/editorial/page-screen.tsx'
import { pageQuery, summaryOf } from '../features/editorial/queries.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, pageContentHead } from '../shell/route-head.ts'

/** The page that legal information stands on, by its slug. */
const SLUG = 'legal'

/** Legal information (V2.1-14). */
export const Route = createFileRoute('/_shell/legal')({
  loader: async ({ context: { queryClient } }) => {
    const { content } = await load(queryClient.ensureQueryData(pageQuery(SLUG)))
    return { summary: summaryOf(content) }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match.context, match.pathname)
      : pageContentHead(match.context, loaderData.summary),
  component: () => <PageScreen slug={SLUG} />,
  notFoundComponent: NotFoundPage,
})

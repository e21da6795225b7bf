import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { PageSkeleton } from '../design/skeletons/skeleton.tsx'
import { homeQuery } from '../features/content/catalogue/queries.ts'
import { railQuery } from '../features/content/editorial/queries.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { LandingScreen } from '../features/viewing/home/landing-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

/** The landing page to which advertisements link (V2.4-08, spec 2). */
export const Route = createFileRoute('/_shell/landing')({
  loader: async ({ context: { queryClient, environment } }) => {
    const session = await load(queryClient.ensureQueryData(sessionQuery))
    const rails = await load(queryClient.ensureQueryData(homeQuery(session, environment.shuffle)))
    const articles = rails.filter(({ kind }) => kind === 'editorial')
    await Promise.all(
      articles.map(({ editorialType }) => queryClient.prefetchQuery(railQuery(editorialType ?? undefined))),
    )
  },
  head: ({ match }) => routeHead(match.context, { title: '', description: '', path: pathOf('landing') }),
  component: LandingScreen,
  pendingComponent: PageSkeleton,
})

import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { PageSkeleton } from '../design/skeletons/skeleton.tsx'
import { sessionQuery } from '../features/accounts/session.ts'
import { homeQuery } from '../features/catalogue/queries.ts'
import { railQuery } from '../features/editorial/queries.ts'
import { LandingScreen } from '../features/home/landing-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

/** The target of advertising (V2.4-08, spec decision 2). */
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

import { createFileRoute, isNotFound, redirect } from '@tanstack/react-router'
import { lazy } from 'react'
import { load } from '../api/load.ts'
import { PageSkeleton } from '../design/skeletons/skeleton.tsx'
import { homeQuery } from '../features/content/catalogue/queries.ts'
import { anonymousPage } from '../features/content/editorial/anonymous-page.ts'
import { pageQuery, railQuery, summaryOf } from '../features/content/editorial/queries.ts'
import { importProgressQuery } from '../features/content/library/progress-query.ts'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { internalPath } from '../features/ground/links/internal-path.ts'
import { queryReader } from '../features/ground/links/read-query.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { HomeScreen } from '../features/viewing/home/home-screen.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { routeHead } from '../shell/route-head.ts'

/** Reads the address to open after a sign-in, if a private service has redirected the viewer to home. */
const readAddress = queryReader({ back: internalPath })

/** Home. In a private service, viewers who are not signed in get the anonymous page instead (V2.3-05, spec 1). */
export const Route = createFileRoute('/_shell/')({
  validateSearch: readAddress,
  loaderDeps: ({ search: { back } }) => ({ back }),
  loader: async ({ context: { queryClient, environment }, deps: { back } }) => {
    const session = await load(queryClient.ensureQueryData(sessionQuery))
    const { account, storefront } = session
    const slug = anonymousPage(configurationOf(queryClient), account !== null)
    if (slug !== undefined) {
      try {
        const { content } = await load(queryClient.ensureQueryData(pageQuery(slug)))
        return { slug, summary: summaryOf(content) }
      } catch (error) {
        // The operator has withdrawn the page, or misspelt its slug. Guarded screens lead to home in any case.
        throw isNotFound(error) ? redirect({ to: pathOf('auth-login'), search: { back } }) : error
      }
    }
    const [rails] = await Promise.all([
      load(queryClient.ensureQueryData(homeQuery(session, environment.shuffle))),
      // In a demonstration, every viewer sees the progress of the import.
      storefront.demonstration ? queryClient.prefetchQuery(importProgressQuery) : undefined,
    ])
    const articles = rails.filter(({ kind }) => kind === 'editorial')
    // Home works without the articles, so `prefetchQuery` ignores failures.
    await Promise.all(
      articles.map(({ editorialType }) => queryClient.prefetchQuery(railQuery(editorialType ?? undefined))),
    )
    return {}
  },
  head: ({ match, loaderData }) => {
    const { title = '', description = '', image = null } = loaderData?.summary ?? {}
    return routeHead(match.context, { title, description, image, path: '/' })
  },
  component: Screen,
  pendingComponent: PageSkeleton,
  notFoundComponent: NotFoundPage,
})

// Lazy, because only a private service needs it, for viewers who are not signed in.
const PageScreen = lazy(async () => ({
  default: (await import('../features/content/editorial/page-screen.tsx')).PageScreen,
}))

function Screen() {
  const { slug } = Route.useLoaderData()
  return slug === undefined ? <HomeScreen /> : <PageScreen slug={slug} />
}

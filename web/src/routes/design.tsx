import { createFileRoute, notFound } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { GalleryScreen } from '../features/viewing/gallery/gallery-screen.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/design')({
  // This page is only for developers and demonstrations. In any other service, its address gives a 404.
  loader: async ({ context: { queryClient } }) => {
    const { storefront } = await load(queryClient.ensureQueryData(sessionQuery))
    if (!import.meta.env.DEV && !storefront.demonstration) throw notFound()
    return { shown: true }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, { title: 'Design', description: '', path: '/design', unlisted: true }),
  component: GalleryScreen,
  notFoundComponent: NotFoundPage,
})

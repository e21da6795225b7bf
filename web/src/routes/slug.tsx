import { createFileRoute, notFound } from '@tanstack/react-router'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead } from '../shell/route-head.ts'

/** Editorial pages by their slug, after every other route (V2.1-25). There are none yet, so that every slug is unknown. */
export const Route = createFileRoute('/_shell/$slug')({
  loader: () => {
    throw notFound()
  },
  head: ({ match }) => notFoundHead(match.context, match.pathname),
  notFoundComponent: NotFoundPage,
})

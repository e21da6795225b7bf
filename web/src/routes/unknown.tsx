import { createFileRoute, notFound } from '@tanstack/react-router'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead } from '../shell/route-head.ts'

/** Every address without a screen (V2.1-27). */
export const Route = createFileRoute('/_shell/$')({
  loader: () => {
    throw notFound()
  },
  head: ({ match }) => notFoundHead(match),
  notFoundComponent: NotFoundPage,
})

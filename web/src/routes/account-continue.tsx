import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/list-skeleton.tsx'
import { ContinueScreen } from '../features/favourites/continue-screen.tsx'
import { begunQuery } from '../features/favourites/favourites-query.ts'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/continue')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(begunQuery),
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('favourites.continueTitle'),
      description: '',
      path: pathOf('account-continue'),
      unlisted: true,
    }),
  component: ContinueScreen,
  pendingComponent: ListSkeleton,
})

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/list-skeleton.tsx'
import { livesQuery } from '../features/favourites/favourites-query.ts'
import { LivesScreen } from '../features/favourites/lives-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/lives')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(livesQuery),
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('favourites.livesTitle'),
      description: '',
      path: pathOf('account-lives'),
      unlisted: true,
    }),
  component: LivesScreen,
  pendingComponent: ListSkeleton,
})

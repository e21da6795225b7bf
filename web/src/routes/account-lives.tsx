import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { livesQuery } from '../features/favourites/favourites-query.ts'
import { LivesScreen } from '../features/favourites/lives-screen.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/lives')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(livesQuery),
  head: ({ match }) => unlistedHead(match, 'favourites.livesTitle'),
  component: LivesScreen,
  pendingComponent: ListSkeleton,
})

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { LivesScreen } from '../features/content/collection/lives-screen.tsx'
import { prefetchTitles } from '../features/content/collection/suggestions-query.ts'
import { livesQuery } from '../features/content/favourites/favourites-query.ts'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/lives')({
  loader: async ({ context: { queryClient } }) => await prefetchTitles(queryClient, livesQuery),
  head: ({ match }) => unlistedHead(match, 'favourites.livesTitle'),
  component: LivesScreen,
  pendingComponent: ListSkeleton,
})

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { ContinueScreen } from '../features/content/collection/continue-screen.tsx'
import { prefetchTitles } from '../features/content/collection/suggestions-query.ts'
import { begunQuery } from '../features/content/favourites/favourites-query.ts'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/continue')({
  loader: async ({ context: { queryClient } }) => await prefetchTitles(queryClient, begunQuery),
  head: ({ match }) => unlistedHead(match, 'favourites.continueTitle'),
  component: ContinueScreen,
  pendingComponent: ListSkeleton,
})

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { FavouritesScreen } from '../features/content/collection/favourites-screen.tsx'
import { favouriteTitlesQuery } from '../features/content/favourites/favourites-query.ts'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/favorites')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(favouriteTitlesQuery),
  head: ({ match }) => unlistedHead(match, 'favourites.title'),
  component: FavouritesScreen,
  pendingComponent: ListSkeleton,
})

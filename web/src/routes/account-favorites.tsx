import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/list-skeleton.tsx'
import { favouriteTitlesQuery } from '../features/favourites/favourites-query.ts'
import { FavouritesScreen } from '../features/favourites/favourites-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/favorites')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(favouriteTitlesQuery),
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('favourites.title'),
      description: '',
      path: pathOf('account-favorites'),
      unlisted: true,
    }),
  component: FavouritesScreen,
  pendingComponent: ListSkeleton,
})

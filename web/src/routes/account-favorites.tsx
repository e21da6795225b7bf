import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { FavouritesScreen } from '../features/content/collection/favourites-screen.tsx'
import { useRecordingSection } from '../features/television/recordings/recording-section.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/favorites')({
  loader: async ({ context }) => {
    const { loadFavourites } = await lateLoaders()
    return await loadFavourites(context)
  },
  head: ({ match }) => unlistedHead(match, 'favourites.title'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  const start = Route.useLoaderData({ select: (data) => data.start })
  return <FavouritesScreen start={start} recordings={useRecordingSection('favourites')} />
}

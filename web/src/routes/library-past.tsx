import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { pastRentalsQuery } from '../features/content/collection/library-query.ts'
import { PastRentalsScreen } from '../features/content/collection/past-rentals-screen.tsx'
import { prefetchTitles } from '../features/content/collection/suggestions-query.ts'
import { LibraryScreens } from '../shell/library/library-screens.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/library/past')({
  loader: async ({ context: { queryClient } }) => await prefetchTitles(queryClient, pastRentalsQuery),
  head: ({ match }) => unlistedHead(match, 'library.library-past'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  return (
    <LibraryScreens>
      <PastRentalsScreen />
    </LibraryScreens>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { rentalsQuery } from '../features/content/collection/library-query.ts'
import { RentalsScreen } from '../features/content/collection/rentals-screen.tsx'
import { prefetchTitles } from '../features/content/collection/suggestions-query.ts'
import { LibraryScreens } from '../shell/library/library-screens.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/library/rentals')({
  loader: async ({ context: { queryClient } }) => await prefetchTitles(queryClient, rentalsQuery),
  head: ({ match }) => unlistedHead(match, 'library.library-rentals'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  return (
    <LibraryScreens>
      <RentalsScreen />
    </LibraryScreens>
  )
}

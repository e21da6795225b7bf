import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/list-skeleton.tsx'
import { rentalsQuery } from '../features/library/library-query.ts'
import { RentalsScreen } from '../features/library/rentals-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { LibraryScreens } from '../shell/library/library-screens.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/library/rentals')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(rentalsQuery),
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('library.library-rentals'),
      description: '',
      path: pathOf('library-rentals'),
      unlisted: true,
    }),
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

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/list-skeleton.tsx'
import { pastRentalsQuery } from '../features/library/library-query.ts'
import { PastRentalsScreen } from '../features/library/past-rentals-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { LibraryScreens } from '../shell/library/library-screens.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/library/past')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(pastRentalsQuery),
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('library.library-past'),
      description: '',
      path: pathOf('library-past'),
      unlisted: true,
    }),
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

import { createFileRoute } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { LibraryScreens } from '../shell/library/library-screens.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/library/downloads')({
  head: ({ match }) => unlistedHead(match, 'library.library-downloads'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

// Lazy, so that the code of downloads is not part of the first load.
const DownloadsScreen = lazy(async () => ({
  default: (await import('../features/content/downloads/downloads-screen.tsx')).DownloadsScreen,
}))

function Screen() {
  return (
    <LibraryScreens isForChildren>
      <Suspense>
        <DownloadsScreen />
      </Suspense>
    </LibraryScreens>
  )
}

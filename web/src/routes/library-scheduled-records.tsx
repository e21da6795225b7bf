import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { RecordingsScreen } from '../features/television/recordings/recordings-screen.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { LibraryScreens } from '../shell/library/library-screens.tsx'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/library/scheduled-records')({
  loader: async ({ context: { queryClient } }) => {
    const { loadRecordingList } = await lateLoaders()
    await loadRecordingList(queryClient, 'scheduled')
  },
  head: ({ match }) => unlistedHead(match, 'library.library-scheduled-records'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  return (
    <LibraryScreens isForChildren>
      <RecordingsScreen shows="scheduled" />
    </LibraryScreens>
  )
}

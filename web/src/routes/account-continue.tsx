import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { ContinueScreen } from '../features/content/collection/continue-screen.tsx'
import { useRecordingSection } from '../features/television/recordings/recording-section.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/continue')({
  loader: async ({ context: { queryClient } }) => {
    const { loadBegun } = await lateLoaders()
    await loadBegun(queryClient)
  },
  head: ({ match }) => unlistedHead(match, 'favourites.continueTitle'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  return <ContinueScreen recordings={useRecordingSection('begun')} />
}

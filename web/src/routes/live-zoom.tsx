import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { LiveScreen } from '../features/television/channels/live-screen.tsx'
import { LiveSkeleton } from '../features/television/channels/live-skeleton.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { routeHead } from '../shell/route-head.ts'

/** The live screen at its second address (V2.1-12). Its first address is the canonical URL for search engines. */
export const Route = createFileRoute('/_shell/live-zoom')({
  loader: async ({ context }) => {
    const { loadLive } = await lateLoaders()
    return await loadLive(context)
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('live.title'),
      description: t('live.lead'),
      path: pathOf('live'),
    })
  },
  component: Screen,
  pendingComponent: LiveSkeleton,
})

function Screen() {
  return <LiveScreen start={Route.useLoaderData({ select: ({ start }) => start })} />
}

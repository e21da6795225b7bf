import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { GuideScreen } from '../features/television/guide/guide-screen.tsx'
import { GuideSkeleton } from '../features/television/guide/guide-skeleton.tsx'
import { readGuideAddress } from '../features/television/schedule/address.ts'
import { lateLoaders } from '../shell/late-loaders.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/epg')({
  validateSearch: readGuideAddress,
  // Loads once when the viewer enters the guide, and not again while the viewer moves around in it.
  shouldReload: ({ cause }) => cause === 'enter',
  loader: async ({ context: { queryClient, environment }, location }) => {
    const address = readGuideAddress(location.search)
    const { loadGuide } = await lateLoaders()
    await loadGuide(queryClient, address, environment.language)
    return { address }
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('guide.title'),
      description: t('guide.description'),
      path: pathOf('epg'),
    })
  },
  component: Screen,
  pendingComponent: GuideSkeleton,
})

function Screen() {
  return <GuideScreen address={Route.useLoaderData({ select: ({ address }) => address })} />
}

import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { channelsQuery } from '../features/channels/queries.ts'
import { configurationOf } from '../features/configuration/configuration-query.ts'
import { readGuideAddress, viewOf } from '../features/guide/address.ts'
import { blockOf, channelsOf } from '../features/guide/channel-blocks.ts'
import { filterOf } from '../features/guide/channel-groups.ts'
import { dayOf, guideDays } from '../features/guide/days.ts'
import { GuideScreen } from '../features/guide/guide-screen.tsx'
import { GuideSkeleton } from '../features/guide/guide-skeleton.tsx'
import { gridQuery } from '../features/guide/queries.ts'
import { dayRange } from '../features/guide/range.ts'
import { zoneOfPage } from '../features/guide/zone-of-page.ts'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/epg')({
  validateSearch: readGuideAddress,
  // On entry, and not again while one moves around in the guide.
  shouldReload: ({ cause }) => cause === 'enter',
  // Channels anew, and the day from its midnight on (V2.3-03).
  loader: async ({ context: { queryClient, environment }, location }) => {
    const [{ now }, channels] = await load(
      Promise.all([
        queryClient.fetchQuery(sessionQuery),
        queryClient.fetchQuery({ ...channelsQuery, staleTime: 0 }),
      ]),
    )
    const { epgGridConfiguration } = configurationOf(queryClient).guide
    const guide = guideDays(now, zoneOfPage(), dayRange(epgGridConfiguration))
    const address = readGuideAddress(location.search)
    const day = dayOf(guide.days, viewOf(address, guide, now)) ?? guide.today
    // Without the guide the channels are still there (V8-03).
    const ids = filterOf(channels, address.filter, environment.language).channels.map(
      ({ idChannel }) => idChannel,
    )
    const block = channelsOf(ids, blockOf(ids.indexOf(address.channel ?? 0)))
    await queryClient.prefetchQuery(gridQuery(day, block))
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

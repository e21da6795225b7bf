import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { channelsQuery } from '../features/channels/queries.ts'
import { configurationOf } from '../features/configuration/configuration-query.ts'
import { readGuideAddress } from '../features/guide/address.ts'
import { ChannelGuideScreen } from '../features/guide/channel-guide-screen.tsx'
import { guideDays } from '../features/guide/days.ts'
import { nextDay } from '../features/guide/next-day.ts'
import { DaySkeleton } from '../features/guide/programme-skeletons.tsx'
import { channelDayQuery } from '../features/guide/queries.ts'
import { dayRange } from '../features/guide/range.ts'
import { zoneOfPage } from '../features/guide/zone-of-page.ts'
import { missing } from '../features/parental/above-level.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/channel/$slug/epg')({
  validateSearch: readGuideAddress,
  loaderDeps: ({ search: { day } }) => ({ day }),
  loader: async ({ context: { queryClient }, params, deps }) => {
    const wanted = idInSlug(params.slug)
    const [{ now }, channels] = await load(
      Promise.all([queryClient.fetchQuery(sessionQuery), queryClient.ensureQueryData(channelsQuery)]),
    )
    const channel = channels.find(({ idChannel }) => idChannel === wanted)
    if (channel === undefined) throw await missing(queryClient, { contentType: 'channel', contentId: wanted })
    const { epgGridConfiguration } = configurationOf(queryClient).guide
    const guide = guideDays(now, zoneOfPage(), dayRange(epgGridConfiguration))
    const day = guide.days.find(({ date }) => date === deps.day) ?? guide.today
    const query = channelDayQuery(day, channel.idChannel)
    // Without the guide the channel is still there (V8-03).
    await queryClient.prefetchQuery(query)
    const programmes = queryClient.getQueryData(query.queryKey)?.[`chan_${channel.idChannel}`] ?? []
    const next = nextDay(guide, day, programmes, now)
    if (next !== undefined) await queryClient.prefetchQuery(channelDayQuery(next, channel.idChannel))
    return {
      id: channel.idChannel,
      name: channel.name,
      synopsis: channel.synopsis,
      path: `${channel.detailRoute}/epg`,
      image: channel.logoImage,
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: match.context.words.t('guide.channelGuide', { channel: loaderData.name }),
          description: loaderData.synopsis,
          path: loaderData.path,
          image: loaderData.image,
        }),
  component: Screen,
  pendingComponent: DaySkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const id = Route.useLoaderData({ select: ({ id }) => id })
  const { day } = Route.useSearch()
  const { data: channels } = useSuspenseQuery(channelsQuery)
  const channel = channels.find(({ idChannel }) => idChannel === id)
  return channel === undefined ? null : <ChannelGuideScreen key={id} channel={channel} date={day} />
}

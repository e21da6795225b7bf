import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { assetQuery } from '../features/content/catalogue/queries.ts'
import { channelsQuery, nowQuery, windowStart } from '../features/content/line-up/queries.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { missing } from '../features/people/parental/above-level.ts'
import { aroundNow, needsNeighbours } from '../features/television/channels/around-now.ts'
import { ChannelScreen } from '../features/television/channels/channel-screen.tsx'
import { ChannelSkeleton } from '../features/television/guide/programme-skeletons.tsx'
import { loadRecordings } from '../features/television/recordings/load-recordings.ts'
import { eventQuery } from '../features/television/schedule/queries.ts'
import { lateLoaders } from '../shell/late-loaders.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/channel/{-$slug}')({
  loader: async ({ context, params }) => {
    const { queryClient, environment } = context
    const [{ now }, channels] = await load(
      Promise.all([queryClient.fetchQuery(sessionQuery), queryClient.ensureQueryData(channelsQuery)]),
    )
    const wanted = params.slug === undefined ? undefined : idInSlug(params.slug)
    // Without a slug, shows the first channel.
    const channel =
      wanted === undefined ? channels[0] : channels.find(({ idChannel }) => idChannel === wanted)
    if (channel === undefined)
      throw wanted === undefined
        ? notFound()
        : await missing(queryClient, { contentType: 'channel', contentId: wanted })
    const { loadChannelUnlocking, loadSilentDay } = await lateLoaders()
    const start = windowStart(now)
    // `prefetchQuery` never rejects, so the channel is shown even without the guide (V8-03).
    const guide = nowQuery(start, channel.idChannel)
    await Promise.all([loadChannelUnlocking(context, channel), queryClient.prefetchQuery(guide)])
    const known = queryClient.getQueryData(guide.queryKey)?.[`chan_${channel.idChannel}`] ?? []
    const around = aroundNow(known, now)
    const { current } = around
    await Promise.all([
      loadRecordings(queryClient, channel, current),
      loadSilentDay(queryClient, around, { id: channel.idChannel, now, timeZone: environment.timeZone }),
      current !== undefined &&
        needsNeighbours(around) &&
        queryClient.prefetchQuery(eventQuery(current.id, channel.idChannel)),
      current?.idAsset != null && queryClient.prefetchQuery(assetQuery(current.idAsset)),
    ])
    return {
      id: channel.idChannel,
      name: channel.name,
      synopsis: channel.synopsis,
      path: channel.detailRoute,
      image: channel.logoImage,
      start,
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.name,
          description: loaderData.synopsis,
          path: loaderData.path,
          image: loaderData.image,
        }),
  component: Screen,
  pendingComponent: ChannelSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const { id, start } = Route.useLoaderData()
  const { data: channels } = useSuspenseQuery(channelsQuery)
  const channel = channels.find(({ idChannel }) => idChannel === id)
  return channel === undefined ? null : (
    <ChannelScreen key={id} channel={channel} channels={channels} start={start} />
  )
}

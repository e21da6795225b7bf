import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute, notFound } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { load } from '../api/load.ts'
import { channelsQuery, nowQuery, windowStart } from '../features/content/line-up/queries.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { missing } from '../features/people/parental/above-level.ts'
import { ChannelScreen } from '../features/television/channels/channel-screen.tsx'
import { ChannelSkeleton } from '../features/television/guide/programme-skeletons.tsx'
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
    const { loadAroundNow, loadChannelUnlocking } = await lateLoaders()
    const start = windowStart(now)
    // `prefetchQuery` never rejects, so the channel is shown even without the guide (V8-03).
    const guide = nowQuery(start, channel.idChannel)
    await Promise.all([loadChannelUnlocking(context, channel), queryClient.prefetchQuery(guide)])
    const known = queryClient.getQueryData(guide.queryKey)
    const programmes = known && (known[`chan_${channel.idChannel}`] ?? [])
    await loadAroundNow(queryClient, channel, programmes, { now, timeZone: environment.timeZone })
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

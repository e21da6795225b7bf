import { useSuspenseQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { channelsQuery } from '../features/content/line-up/queries.ts'
import { ChannelGuideScreen } from '../features/television/guide/channel-guide-screen.tsx'
import { DaySkeleton } from '../features/television/guide/programme-skeletons.tsx'
import { readGuideAddress } from '../features/television/schedule/address.ts'
import { lateLoaders } from '../shell/late-loaders.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/channel/$slug/epg')({
  validateSearch: readGuideAddress,
  loaderDeps: ({ search: { day } }) => ({ day }),
  loader: async ({ context: { queryClient }, params, deps }) => {
    const { loadChannelDay } = await lateLoaders()
    return await loadChannelDay(queryClient, idInSlug(params.slug), deps.day)
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

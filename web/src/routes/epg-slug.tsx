import { createFileRoute } from '@tanstack/react-router'
import { idInSlug } from '../api/id-in-slug.ts'
import { assetQuery } from '../features/content/catalogue/queries.ts'
import { channelsQuery } from '../features/content/line-up/queries.ts'
import { loadSubject } from '../features/people/parental/above-level.ts'
import { EventScreen } from '../features/television/guide/event-screen.tsx'
import { ProgrammeSkeleton } from '../features/television/guide/programme-skeletons.tsx'
import { programmePath } from '../features/television/schedule/programme-path.ts'
import { eventQuery, followingQuery } from '../features/television/schedule/queries.ts'
import { lateLoaders } from '../shell/late-loaders.ts'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/epg/$slug')({
  loader: async ({ context, params }) => {
    const { queryClient } = context
    const id = idInSlug(params.slug)
    const [{ current }, channels] = await loadSubject(
      queryClient,
      { contentType: 'event', contentId: id },
      Promise.all([queryClient.ensureQueryData(eventQuery(id)), queryClient.ensureQueryData(channelsQuery)]),
    )
    const channel = channels.find(({ idChannel }) => idChannel === current.id_channel)
    const { loadChannelUnlocking, loadRecordings } = await lateLoaders()
    await Promise.all([
      channel !== undefined && loadChannelUnlocking(context, channel),
      queryClient.prefetchQuery(followingQuery(current)),
      loadRecordings(queryClient, channel, current),
      // The screen shows the asset's picture behind the text.
      current.idAsset !== null && queryClient.prefetchQuery(assetQuery(current.idAsset)),
    ])
    return {
      id: current.id,
      title: current.title,
      description: current.synopsis,
      path: programmePath(current),
      image: current.isBlurred ? null : current.image,
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined ? notFoundHead(match) : routeHead(match.context, loaderData),
  component: Screen,
  pendingComponent: ProgrammeSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  const id = Route.useLoaderData({ select: ({ id }) => id })
  return <EventScreen key={id} id={id} />
}

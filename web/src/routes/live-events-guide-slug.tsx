import { createFileRoute, notFound } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { channelsQuery, nowQuery, windowStart } from '../features/content/line-up/queries.ts'
import { wallPage } from '../features/content/line-up/wall-page.ts'
import { pathOf } from '../features/ground/links/content-link.ts'
import { sessionQuery } from '../features/ground/session/session.ts'
import { channelGroups, channelsOf } from '../features/television/channels/channel-groups.ts'
import { LiveEventsScreen } from '../features/television/guide/live-events-screen.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { notFoundHead, routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/live-events/$slug')({
  loader: async ({ context: { queryClient, words, environment }, params: { slug } }) => {
    const [{ now }, channels] = await load(
      Promise.all([queryClient.fetchQuery(sessionQuery), queryClient.ensureQueryData(channelsQuery)]),
    )
    const shown = channelsOf(channels, slug)
    if (shown === undefined) throw notFound()
    const start = windowStart(now)
    // `prefetchQuery` never rejects, so the channels are shown even without the guide (V8-03).
    await queryClient.prefetchQuery(nowQuery(start, wallPage(shown, 0).ids))
    const { t } = words
    const group = channelGroups(channels, environment.language).find((each) => each.slug === slug)?.title
    return {
      slug,
      start,
      title: group === undefined ? t('guide.liveEvents') : t('guide.liveEventsOf', { group }),
    }
  },
  head: ({ match, loaderData }) =>
    loaderData === undefined
      ? notFoundHead(match)
      : routeHead(match.context, {
          title: loaderData.title,
          description: match.context.words.t('guide.liveEventsLead'),
          path: pathOf('live-events-guide-slug', { slug: loaderData.slug }),
        }),
  component: Screen,
  pendingComponent: ListSkeleton,
  notFoundComponent: NotFoundPage,
})

function Screen() {
  return <LiveEventsScreen {...Route.useLoaderData()} />
}

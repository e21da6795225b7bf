import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { LiveScreen } from '../features/channels/live-screen.tsx'
import { channelsQuery, nowQuery, windowStart } from '../features/channels/queries.ts'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/live')({
  loader: async ({ context: { queryClient } }) => {
    const { now } = await load(queryClient.fetchQuery(sessionQuery))
    const start = windowStart(now)
    await Promise.all([
      load(queryClient.ensureQueryData(channelsQuery)),
      // Without the guide the channels are still there (V8-03).
      queryClient.prefetchQuery(nowQuery(start)),
    ])
    return { start }
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
})

function Screen() {
  return <LiveScreen start={Route.useLoaderData({ select: ({ start }) => start })} />
}

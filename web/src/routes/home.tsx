import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { sessionQuery } from '../features/accounts/session.ts'
import { homeQuery } from '../features/catalogue/queries.ts'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { importProgressQuery } from '../features/imports/progress-query.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/')({
  loader: async ({ context: { queryClient } }) => {
    const { account, storefront } = await load(queryClient.ensureQueryData(sessionQuery))
    await Promise.all([
      load(queryClient.ensureQueryData(homeQuery(account !== null))),
      // Only a demonstration shows everyone what is arriving.
      storefront.demonstration ? queryClient.prefetchQuery(importProgressQuery) : undefined,
    ])
  },
  head: ({ match }) => routeHead(match.context, { title: '', description: '', path: '/' }),
  component: HomeScreen,
})

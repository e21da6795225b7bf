import { createFileRoute } from '@tanstack/react-router'
import { sessionQuery } from '../features/accounts/session.ts'
import { homeQuery } from '../features/catalogue/queries.ts'
import { HomeScreen } from '../features/home/home-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/')({
  loader: async ({ context: { queryClient } }) => {
    const { account } = await queryClient.ensureQueryData(sessionQuery)
    await queryClient.ensureQueryData(homeQuery(account !== null))
  },
  head: ({ match }) => routeHead(match.context, { title: '', description: '', path: '/' }),
  component: HomeScreen,
})

import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/links/content-link.ts'
import { OthersScreen } from '../shell/others-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/others')({
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('others.title'),
      description: '',
      path: pathOf('others'),
      unlisted: true,
    }),
  component: OthersScreen,
})

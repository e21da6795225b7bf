import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/links/content-link.ts'
import { OthersScreen } from '../shell/others-screen.tsx'
import { routeHead } from '../shell/route-head.ts'
import { words } from '../words/words.ts'

export const Route = createFileRoute('/_shell/others')({
  head: ({ match }) =>
    routeHead(match.context, {
      title: words(match.context.environment.language).t('others.title'),
      description: '',
      path: pathOf('others'),
      unlisted: true,
    }),
  component: OthersScreen,
})

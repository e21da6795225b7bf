import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/links/content-link.ts'
import { ReceiverLayout } from '../shell/receiver-layout.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/receiver')({
  head: ({ match }) =>
    routeHead(match.context, {
      title: match.context.words.t('receiver.title'),
      description: '',
      path: pathOf('receiver'),
      unlisted: true,
    }),
  component: ReceiverLayout,
})

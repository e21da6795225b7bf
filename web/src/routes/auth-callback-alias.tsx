import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { CallbackScreen } from '../features/viewing/accounts/callback-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/oauth/generic/callback')({
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('auth.callbackTitle'),
      description: t('auth.callbackPending'),
      path: pathOf('auth-callback'),
      unlisted: true,
    })
  },
  component: CallbackScreen,
})

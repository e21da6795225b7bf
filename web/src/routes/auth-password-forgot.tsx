import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { ForgotScreen } from '../features/viewing/accounts/forgot-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/auth/password')({
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('auth.forgotTitle'),
      description: t('auth.forgotLead'),
      path: pathOf('auth-password-forgot'),
      unlisted: true,
    })
  },
  component: ForgotScreen,
})

import { createFileRoute } from '@tanstack/react-router'
import { VerifyScreen } from '../features/accounts/verify-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/verify-email')({
  validateSearch: ({ token, email }: Record<string, unknown>): { token?: string; email?: string } => ({
    ...(typeof token === 'string' ? { token } : {}),
    ...(typeof email === 'string' ? { email } : {}),
  }),
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('auth.verifyTitle'),
      description: t('auth.verifyTextPlain'),
      path: pathOf('verify-email'),
      unlisted: true,
    })
  },
  component: Screen,
})

function Screen() {
  const { token = '', email = '' } = Route.useSearch()
  return <VerifyScreen token={token} email={email} />
}

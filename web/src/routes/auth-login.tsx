import { createFileRoute } from '@tanstack/react-router'
import { SignInScreen } from '../features/accounts/sign-in-screen.tsx'
import { pathOf } from '../features/links/content-link.ts'
import { internalPath } from '../features/links/internal-path.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/auth/login')({
  validateSearch: ({ back }: Record<string, unknown>): { back?: string } => {
    const path = internalPath(back)
    return path === undefined ? {} : { back: path }
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('signIn.title'),
      description: t('signIn.lead'),
      path: pathOf('auth-login'),
      unlisted: true,
    })
  },
  component: Screen,
})

function Screen() {
  const { back = '/' } = Route.useSearch()
  return <SignInScreen back={back} />
}

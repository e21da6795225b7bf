import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { internalPath } from '../features/ground/links/internal-path.ts'
import { queryReader } from '../features/ground/links/read-query.ts'
import { SignInScreen } from '../features/viewing/accounts/sign-in-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({ back: internalPath })

export const Route = createFileRoute('/_shell/auth/login')({
  validateSearch: readAddress,
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

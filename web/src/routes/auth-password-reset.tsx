import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { queryReader, textIn } from '../features/ground/links/read-query.ts'
import { ResetScreen } from '../features/viewing/accounts/reset-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({ token: textIn })

export const Route = createFileRoute('/_shell/resetPassword')({
  validateSearch: readAddress,
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('auth.resetTitle'),
      description: t('auth.resetLead'),
      path: pathOf('auth-password-reset'),
      unlisted: true,
    })
  },
  component: Screen,
})

function Screen() {
  const { token = '' } = Route.useSearch()
  return <ResetScreen token={token} />
}

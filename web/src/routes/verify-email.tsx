import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { queryReader, textIn, textLike } from '../features/ground/links/read-query.ts'
import { VerifyScreen } from '../features/viewing/accounts/verify-screen.tsx'
import { LoneLogo } from '../shell/bar/lone-logo.tsx'
import { routeHead } from '../shell/route-head.ts'

const readAddress = queryReader({
  token: textIn,
  email: textIn,
  change: (change) => textLike(change, /^1$/),
})

export const Route = createFileRoute('/_shell/verify-email')({
  validateSearch: readAddress,
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
  const { token = '', email = '', change } = Route.useSearch()
  return (
    <>
      <LoneLogo />
      <VerifyScreen token={token} email={email} isChange={change !== undefined} />
    </>
  )
}

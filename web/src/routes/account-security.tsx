import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { isChildWatching } from '../features/ground/session/session.ts'
import { optionsQuery } from '../features/rights/subscriptions/queries.ts'
import { accountQuery } from '../features/viewing/accounts/account-query.ts'
import { SecurityScreen } from '../features/viewing/accounts/security-screen.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/security')({
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    await Promise.all([
      load(queryClient.ensureQueryData(accountQuery)),
      queryClient.prefetchQuery(optionsQuery),
    ])
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('account.security'),
      description: t('account.securityLead'),
      path: pathOf('account-security'),
      unlisted: true,
    })
  },
  component: SecurityScreen,
  pendingComponent: FormSkeleton,
})

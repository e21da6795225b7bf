import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { accountQuery } from '../features/account/account-query.ts'
import { SecurityScreen } from '../features/account/security-screen.tsx'
import { isChildWatching } from '../features/accounts/session.ts'
import { pathOf } from '../features/links/content-link.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/security')({
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    await load(queryClient.ensureQueryData(accountQuery))
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

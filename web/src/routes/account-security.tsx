import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { isChildWatching } from '../features/ground/session/session.ts'
import { accountQuery } from '../features/viewing/accounts/account-query.ts'
import { SecurityScreen } from '../features/viewing/accounts/security-screen.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/security')({
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    const account = load(queryClient.ensureQueryData(accountQuery))
    const { loadBought } = await lateLoaders()
    await Promise.all([account, loadBought(queryClient)])
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

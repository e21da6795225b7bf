import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { accountQuery } from '../features/account/account-query.ts'
import { InformationsScreen } from '../features/account/informations-screen.tsx'
import { isChildWatching } from '../features/accounts/session.ts'
import { pathOf } from '../features/links/content-link.ts'
import { countriesQuery } from '../features/registration/countries.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/account/informations')({
  loader: async ({ context: { queryClient } }) => {
    if (isChildWatching(queryClient)) return
    await Promise.all([
      load(queryClient.ensureQueryData(accountQuery)),
      queryClient.prefetchQuery(countriesQuery),
    ])
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('account.informations'),
      description: t('account.informationsLead'),
      path: pathOf('account-informations'),
      unlisted: true,
    })
  },
  component: InformationsScreen,
  pendingComponent: FormSkeleton,
})

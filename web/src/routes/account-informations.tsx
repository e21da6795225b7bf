import { createFileRoute } from '@tanstack/react-router'
import { load } from '../api/load.ts'
import { FormSkeleton } from '../design/skeletons/form-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { isChildWatching } from '../features/ground/session/session.ts'
import { accountQuery } from '../features/viewing/accounts/account-query.ts'
import { countriesQuery } from '../features/viewing/accounts/countries.ts'
import { InformationsScreen } from '../features/viewing/accounts/informations-screen.tsx'
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

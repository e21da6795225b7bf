import { createFileRoute } from '@tanstack/react-router'
import { pathOf } from '../features/ground/links/content-link.ts'
import { countriesQuery } from '../features/viewing/accounts/countries.ts'
import { InformationsScreen } from '../features/viewing/registration/informations-screen.tsx'
import { RegistrationSkeleton } from '../features/viewing/registration/registration-skeleton.tsx'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/register/informations')({
  loader: async ({ context: { queryClient } }) => await queryClient.prefetchQuery(countriesQuery),
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('register.title'),
      description: t('register.lead'),
      path: pathOf('register-informations'),
      unlisted: true,
    })
  },
  component: InformationsScreen,
  pendingComponent: RegistrationSkeleton,
})

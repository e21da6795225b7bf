import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { OffersStepScreen } from '../features/viewing/registration/offers-step.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { routeHead } from '../shell/route-head.ts'

export const Route = createFileRoute('/_shell/register/offers')({
  loader: async ({ context }) => {
    const { loadShop } = await lateLoaders()
    await loadShop(context, {})
  },
  head: ({ match }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('register.offersTitle'),
      description: t('register.offersLead'),
      path: pathOf('register-offers'),
      unlisted: true,
    })
  },
  component: OffersStepScreen,
  pendingComponent: ListSkeleton,
})

import { createFileRoute } from '@tanstack/react-router'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { pathOf } from '../features/ground/links/content-link.ts'
import { OffersScreen } from '../features/viewing/shop/offers-screen.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { routeHead } from '../shell/route-head.ts'
import { ShopPage } from '../shell/shop-page.tsx'

/** The screen of subscriptions (A2.1-21). */
export const Route = createFileRoute('/_shell/offers')({
  loader: async ({ context }) => {
    const { loadShop } = await lateLoaders()
    return { kind: await loadShop(context, { posters: true }) }
  },
  head: ({ match, loaderData }) => {
    const { t } = match.context.words
    return routeHead(match.context, {
      title: t('offers.title'),
      description: t('offers.lead'),
      path: pathOf('offers'),
      unlisted: loaderData?.kind !== 'here',
    })
  },
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  return (
    <ShopPage>
      <OffersScreen />
    </ShopPage>
  )
}

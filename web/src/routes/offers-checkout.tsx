import { createFileRoute } from '@tanstack/react-router'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { configurationOf } from '../features/ground/configuration/configuration-query.ts'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { countIn, queryReader } from '../features/ground/links/read-query.ts'
import { ServiceCheckout } from '../features/rights/offers/service-checkout.tsx'
import { subscribesAtService } from '../features/rights/offers/shop.ts'
import { NothingToCheckOut } from '../features/viewing/shop/empty-shop.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'
import { ShopPage } from '../shell/shop-page.tsx'

const readAddress = queryReader({ offerId: countIn })

/** The checkout of a third-party subscription service (A2.1-24). `offerId` is the offer to buy. */
export const Route = createFileRoute('/_shell/offers/checkout')({
  validateSearch: readAddress,
  loader: async ({ context }) => {
    const { loadShop } = await lateLoaders()
    const rents = !subscribesAtService(configurationOf(context.queryClient))
    await loadShop(context, { rents, posters: true })
  },
  head: ({ match }) => unlistedHead(match, 'checkout.title'),
  component: Screen,
  pendingComponent: TextSkeleton,
})

function Screen() {
  const { offerId } = Route.useSearch()
  const isAtService = subscribesAtService(useConfiguration())
  return (
    <ShopPage rents={!isAtService}>
      {isAtService && offerId !== undefined ? (
        <ServiceCheckout key={offerId} offerId={offerId} />
      ) : (
        <NothingToCheckOut />
      )}
    </ShopPage>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { countIn, queryReader } from '../features/ground/links/read-query.ts'
import { CartScreen } from '../features/rights/offers/cart-screen.tsx'
import { EmptyCart } from '../features/viewing/shop/empty-shop.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'
import { ShopPage } from '../shell/shop-page.tsx'

const readAddress = queryReader({
  offerId: (value) => [value].flat().flatMap((each) => countIn(each) ?? []),
  contentId: countIn,
  // If omitted, the content is a title.
  contentType: (value) => (value === 'CHANNEL' || value === 'VOD_ASSET' ? value : undefined),
})

/**
 * The cart (A2.1-23). `offerId` is one offer or several offers to put into the cart. `contentId` and `contentType`
 * are the content to buy.
 */
export const Route = createFileRoute('/_shell/offers/cart')({
  validateSearch: readAddress,
  loader: async ({ context }) => {
    const { loadShop } = await lateLoaders()
    await loadShop(context, { rents: true, posters: true })
  },
  head: ({ match }) => unlistedHead(match, 'cart.title'),
  component: Screen,
  pendingComponent: TextSkeleton,
})

function Screen() {
  const { offerId = [], contentId, contentType } = Route.useSearch()
  return (
    <ShopPage rents>
      <CartScreen wish={{ offerIds: offerId, contentId, contentType }} empty={<EmptyCart />} />
    </ShopPage>
  )
}

import { createFileRoute } from '@tanstack/react-router'
import { TextSkeleton } from '../design/skeletons/text-skeleton.tsx'
import { countIn, queryReader } from '../features/ground/links/read-query.ts'
import { soldContent } from '../features/rights/offers/offer-paths.ts'
import { ConfirmationScreen } from '../features/viewing/shop/confirmation-screen.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'
import { ShopPage } from '../shell/shop-page.tsx'

const readAddress = queryReader({
  orderId: countIn,
  left: countIn,
  contentId: countIn,
  contentType: (value) => (value === 'CHANNEL' || value === 'VOD_ASSET' ? value : undefined),
})

/** The result of an order (A2.1-25). The payment page returns here with `orderId` (A4.8-09). */
export const Route = createFileRoute('/_shell/offers/confirmation')({
  validateSearch: readAddress,
  loaderDeps: ({ search: { orderId, contentId } }) => ({ orderId, isSingle: contentId !== undefined }),
  loader: async ({ context, deps }) => {
    const { loadOrder } = await lateLoaders()
    await loadOrder(context, deps)
  },
  head: ({ match }) => unlistedHead(match, 'cart.order'),
  component: Screen,
  pendingComponent: TextSkeleton,
})

function Screen() {
  const { orderId, left, ...wish } = Route.useSearch()
  return (
    <ShopPage rents>
      <ConfirmationScreen orderId={orderId} hasLeft={left !== undefined} content={soldContent(wish)} />
    </ShopPage>
  )
}

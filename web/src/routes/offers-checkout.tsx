import { createFileRoute } from '@tanstack/react-router'
import { setStatus } from '../api/status.ts'
import { TextSkeleton } from '../design/text-skeleton.tsx'
import { NotAvailablePage } from '../shell/not-available-page.tsx'
import { unlistedHead } from '../shell/route-head.ts'
import { shopLoader } from '../shell/shop-loader.ts'
import { ShopPage } from '../shell/shop-page.tsx'

/** The checkout of a third-party subscription service (A2.1-24): not open yet where this service itself sells. */
export const Route = createFileRoute('/_shell/offers/checkout')({
  loader: async ({ context }) => {
    const { loadShop } = await shopLoader()
    if ((await loadShop(context, { rents: true })) === 'here') setStatus(501)
  },
  head: ({ match }) => unlistedHead(match, 'notAvailable.offers-checkout'),
  component: Screen,
  pendingComponent: TextSkeleton,
})

function Screen() {
  return (
    <ShopPage rents>
      <NotAvailablePage name="offers-checkout" />
    </ShopPage>
  )
}

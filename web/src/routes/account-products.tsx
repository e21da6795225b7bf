import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { countIn, queryReader, textLike } from '../features/ground/links/read-query.ts'
import { ProductsScreen } from '../features/rights/subscriptions/products-screen.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'

// The payment page sends the viewer back to this address, with the id of the order, with `left` if the viewer left the
// page without paying, and with `card` if the order only saves a card.
const readAddress = queryReader({
  orderId: (id) => textLike(id, /^[1-9]\d{0,8}$/),
  left: countIn,
  card: countIn,
})

export const Route = createFileRoute('/_shell/account/products')({
  validateSearch: readAddress,
  loader: async ({ context }) => {
    const { loadProducts } = await lateLoaders()
    await loadProducts(context)
  },
  head: ({ match }) => unlistedHead(match, 'products.title'),
  component: Screen,
  pendingComponent: ListSkeleton,
})

function Screen() {
  const { orderId, left, card } = Route.useSearch()
  const navigate = useNavigate()
  const onPaid = useCallback(
    async () => await navigate({ to: '/account/products', search: {}, replace: true }),
    [navigate],
  )
  const paidOrder =
    orderId === undefined
      ? undefined
      : { id: Number(orderId), hasLeft: left !== undefined, savesCard: card !== undefined }
  return <ProductsScreen paidOrder={paidOrder} onPaid={onPaid} />
}

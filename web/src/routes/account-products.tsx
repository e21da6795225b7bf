import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback } from 'react'
import { ListSkeleton } from '../design/lists/list-skeleton.tsx'
import { queryReader, textLike } from '../features/ground/links/read-query.ts'
import { ProductsScreen } from '../features/rights/subscriptions/products-screen.tsx'
import { lateLoaders } from '../shell/late-loaders.ts'
import { unlistedHead } from '../shell/route-head.ts'

// The payment page sends the viewer back to this address, with the id of the order.
const readAddress = queryReader({ orderId: (id) => textLike(id, /^[1-9]\d{0,8}$/) })

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
  const orderId = Route.useSearch({ select: (search) => search.orderId })
  const navigate = useNavigate()
  const onPaid = useCallback(
    async () => await navigate({ to: '/account/products', search: {}, replace: true }),
    [navigate],
  )
  return <ProductsScreen paidOrder={orderId === undefined ? undefined : Number(orderId)} onPaid={onPaid} />
}

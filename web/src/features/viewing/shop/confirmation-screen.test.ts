// @vitest-environment happy-dom
import type { Session } from '@ondine/contract/accounts'
import { DEFAULT_CONFIGURATION } from '@ondine/contract/configuration'
import type { OrderState } from '@ondine/contract/orders'
import { QueryClient } from '@tanstack/react-query'
import { act, createElement } from 'react'
import { createRoot } from 'react-dom/client'
import { afterEach, expect, test, vi } from 'vitest'
import { inScene } from '../../ground/words/draw-as.tsx'
import type { SoldContent } from '../../rights/offers/offer-paths.ts'
import { orderQuery } from '../../rights/orders/order-query.ts'
import { ConfirmationScreen } from './confirmation-screen.tsx'

vi.mock('@tanstack/react-router', async (original) => {
  const router = await original<typeof import('@tanstack/react-router')>()
  const useRouter = () => {
    const known = router.useRouter()
    Object.assign(known.options, { context: { environment: { shuffle: 0 } } })
    return known
  }
  return { ...router, useRouter }
})
vi.mock('../../../api/call.ts', () => ({ call: async () => [] }))

const SESSION: Session = {
  account: null,
  profile: null,
  storefront: { name: 'Ondine', demonstration: false },
  now: 1_795_212_000,
}

/** The purchases that the operator's scripts have counted. */
const counted: unknown[] = []
window.addEventListener('ondine:purchase', (event) => counted.push((event as CustomEvent).detail))

afterEach(() => vi.unstubAllGlobals())

/** Shows the result of an order whose state was prefetched, and returns the addresses of its links. */
async function show(
  orderId: number,
  {
    orderStatus = 'executed',
    hasLeft = false,
    content,
  }: { orderStatus?: OrderState; hasLeft?: boolean; content?: SoldContent } = {},
): Promise<(string | null)[]> {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: Infinity } } })
  queries.setQueryData(orderQuery(orderId).queryKey, { orderStatus })
  const screen = createElement(ConfirmationScreen, { orderId, hasLeft, content })
  const page = document.body.appendChild(document.createElement('div'))
  const root = createRoot(page)
  await act(async () =>
    root.render(inScene(screen, { session: SESSION, configuration: DEFAULT_CONFIGURATION, queries })),
  )
  const links = [...page.querySelectorAll('a')].map((link) => link.getAttribute('href'))
  await act(async () => root.unmount())
  return links
}

test('A4.8-07 A4.8-09 the payment window closes without counting the purchase, which the window of the cart counts', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const close = vi.fn()
  vi.stubGlobal('close', close)
  vi.stubGlobal('name', 'payment')
  vi.stubGlobal('opener', {})
  await show(1)
  expect(close).toHaveBeenCalled()
  expect(counted).toEqual([])
  close.mockClear()
  vi.stubGlobal('name', '')
  vi.stubGlobal('opener', null)
  await show(1)
  expect(close).not.toHaveBeenCalled()
  expect(counted).toEqual([{ orderId: 1 }])
})

test('A4.8-09 from a left payment, the cart still has the title or channel', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true)
  const content = { contentId: 7, contentType: 'CHANNEL' } as const
  const left = { orderStatus: 'submitted', hasLeft: true } as const
  expect(await show(2, { ...left, content })).toContain('/offers/cart?contentId=7&contentType=CHANNEL')
  // The service keeps the offers of a subscription.
  expect(await show(3, left)).toContain('/offers/cart')
})

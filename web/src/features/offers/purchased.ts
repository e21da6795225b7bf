import { checkOrderStatus } from '@ondine/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { configurationQuery } from '../configuration/configuration-query.ts'

/** What a page that counts sales listens to, with the order's id in `detail`. */
const PURCHASE_EVENT = 'ondine:purchase'

/** Orders that this page has told of. */
const told = new Set<number>()

/** Tells of a purchase, and asks anew for all that may be unlocked by it (A4.8-07). Once for each order. */
export async function purchased(queries: QueryClient, orderId: number): Promise<void> {
  if (told.has(orderId)) return
  told.add(orderId)
  window.dispatchEvent(new CustomEvent(PURCHASE_EVENT, { detail: { orderId } }))
  await askRightsAnew(queries)
}

/** Asks anew for all that a purchase may unlock. */
export async function askRightsAnew(queries: QueryClient): Promise<void> {
  const kept = new Set<unknown>([configurationQuery.queryKey[0], checkOrderStatus.name])
  await queries.invalidateQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) })
}

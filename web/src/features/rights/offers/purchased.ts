import type { QueryClient } from '@tanstack/react-query'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { rememberPlan } from './chosen-plan.ts'

/**
 * The name of the event with which scripts of the operator can count sales. The event's `detail` contains the id of the
 * order.
 */
const PURCHASE_EVENT = 'ondine:purchase'

/** Orders that this page has already reported. */
const told = new Set<number>()

/**
 * Reports a purchase, and fetches everything again that the purchase may have unlocked (A4.8-07). Does nothing if it
 * was called for the same order before.
 */
export async function purchased(queries: QueryClient, orderId: number): Promise<void> {
  if (told.has(orderId)) return
  told.add(orderId)
  rememberPlan([])
  window.dispatchEvent(new CustomEvent(PURCHASE_EVENT, { detail: { orderId } }))
  await askUnlockedAnew(queries)
}

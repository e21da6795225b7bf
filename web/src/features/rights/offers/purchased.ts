import type { QueryClient } from '@tanstack/react-query'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { rememberPlan } from './chosen-plan.ts'

/**
 * The name of a DOM event with which the operator's scripts can count sales. The event's `detail` contains the
 * order's id.
 */
const PURCHASE_EVENT = 'ondine:purchase'

/** Orders that this page has already reported. */
const told = new Set<number>()

/**
 * Reports a purchase, and refetches all data that the purchase may have unlocked (A4.8-07). Repeated calls for an
 * order do nothing.
 */
export async function purchased(queries: QueryClient, orderId: number): Promise<void> {
  if (told.has(orderId)) return
  told.add(orderId)
  rememberPlan([])
  window.dispatchEvent(new CustomEvent(PURCHASE_EVENT, { detail: { orderId } }))
  await askUnlockedAnew(queries)
}

import type { QueryClient } from '@tanstack/react-query'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { rememberPlan } from './chosen-plan.ts'

/** The event by which scripts of the operator can count sales. Its `detail` contains the order's id. */
const PURCHASE_EVENT = 'ondine:purchase'

/** Orders that this page has already reported. */
const told = new Set<number>()

/** Reports a purchase, and refetches everything that it may unlock (A4.8-07). Runs once per order. */
export async function purchased(queries: QueryClient, orderId: number): Promise<void> {
  if (told.has(orderId)) return
  told.add(orderId)
  rememberPlan([])
  window.dispatchEvent(new CustomEvent(PURCHASE_EVENT, { detail: { orderId } }))
  await askUnlockedAnew(queries)
}

import type { QueryClient } from '@tanstack/react-query'
import { deviceStorage } from '../../ground/platform/device-storage.ts'
import { askUnlockedAnew } from '../orders/ask-unlocked-anew.ts'
import { rememberPlan } from './chosen-plan.ts'

/**
 * The name of a DOM event with which the operator's scripts can count sales. The event's `detail` is the
 * {@link Purchase}.
 */
const PURCHASE_EVENT = 'ondine:purchase'

/** A paid order, or a purchase in the store of the device. */
type Purchase = { orderId: number } | { transactionId: string }

/** The purchases that this page knows. */
const known = new Set<string>()

/**
 * Reports a purchase once on this device, and refetches all data that it may have unlocked once in each page (A4.8-07).
 */
export async function purchased(queries: QueryClient, purchase: Purchase): Promise<void> {
  const key = `purchased ${JSON.stringify(purchase)}`
  if (known.has(key)) return
  known.add(key)
  if (deviceStorage.getItem(key) === null) {
    deviceStorage.setItem(key, '')
    rememberPlan([])
    window.dispatchEvent(new CustomEvent(PURCHASE_EVENT, { detail: purchase }))
  }
  await askUnlockedAnew(queries)
}

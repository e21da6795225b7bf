import { checkOrderStatus } from '@ondine/contract/orders'
import type { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../../../api/api-error.ts'
import { call } from '../../../api/call.ts'
import { deviceStorage } from '../../ground/platform/device-storage.ts'
import { purchased } from './purchased.ts'

/** Key in the local storage. The value is the id of the order whose payment began last. */
const KEY = 'begun-order'

/** Stores the order of a payment that begins. Works only in the browser. */
export function rememberOrder(orderId: number): void {
  deviceStorage.setItem(KEY, String(orderId))
}

/**
 * Reports the purchase whose payment this device began last, if the order is paid (A4.8-07). Its cart reports it as a
 * rule, but the viewer may have closed the cart before the bank confirmed the payment. Called at the start of a visit.
 */
export async function reportBegunOrder(queries: QueryClient): Promise<void> {
  const orderId = Number(deviceStorage.getItem(KEY))
  if (orderId === 0) return
  try {
    const { orderStatus } = await call(checkOrderStatus, { orderId })
    if (orderStatus === 'executed') await purchased(queries, { orderId })
    if (orderStatus === 'submitted' || orderStatus === 'to_execute') return
  } catch (error) {
    // Another account began the order. After any other failure, the next visit asks again.
    if (!(error instanceof ApiError && error.status === 404)) throw error
  }
  // Another payment may have begun in the meantime.
  if (deviceStorage.getItem(KEY) === String(orderId)) deviceStorage.removeItem(KEY)
}

import { checkOrderStatus, type OrderState } from '@ondine/contract/orders'
import { skipToken } from '@tanstack/react-query'
import { call } from '../../../api/call.ts'
import { ORDER_POLL_MS } from './watch-payment.ts'

const OPEN: ReadonlySet<OrderState> = new Set(['submitted', 'to_execute'])

/** The state of an order, polled until it is final (A4.8-05). */
export function orderQuery(orderId: number | undefined) {
  return {
    queryKey: [checkOrderStatus.name, { orderId }] as const,
    queryFn: orderId === undefined ? skipToken : async () => await call(checkOrderStatus, { orderId }),
    refetchInterval: ({ state }: { state: { data: { orderStatus: OrderState } | undefined } }) =>
      state.data !== undefined && OPEN.has(state.data.orderStatus) ? ORDER_POLL_MS : false,
  } as const
}

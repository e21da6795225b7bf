import type { PaymentRequest } from '../payments/payment-provider.ts'
import { type Payment, requestOf } from '../payments/payments.service.ts'
import type { Order } from './execute-order.ts'
import { withOrder } from './return-address.ts'

/** Returns the provider request for the payment of an order. The order's id is added to the return address. */
export function requestOfOrder({ id }: Pick<Order, 'id'>, payment: Payment, origin: string): PaymentRequest {
  const request = requestOf(payment, origin)
  return { ...request, returnUrl: withOrder(new URL(request.returnUrl), id) }
}

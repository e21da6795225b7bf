import type { PaymentRequest } from '../payments/payment-provider.ts'
import { type Payment, requestOf } from '../payments/payments.service.ts'
import type { Order } from './execute-order.ts'
import { withOrder } from './return-address.ts'

/** The payment of an order as its provider is asked for it: the payment page leads back with the order. */
export function requestOfOrder({ id }: Pick<Order, 'id'>, payment: Payment, origin: string): PaymentRequest {
  const request = requestOf(payment, origin)
  return { ...request, returnUrl: withOrder(new URL(request.returnUrl), id) }
}

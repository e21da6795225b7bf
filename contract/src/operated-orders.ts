import * as z from 'zod'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { ORDER_STATES } from './orders.ts'
import { id, text } from './wire.ts'

const OPERATOR_PATH = '/operator/orders'

/** Maximum number of orders in an answer. */
export const MOST_ORDERS = 200

/** An order in operator calls. Times are seconds since the Unix epoch. */
const operatedOrder = z.object({
  idOrder: z.int(),
  idAccount: z.int(),
  email: z.string(),
  state: z.enum(ORDER_STATES),
  /** The amount paid, after the discount. */
  amount,
  discount: amount,
  submittedAt: z.int(),
  closedAt: z.int().nullable(),
  /** The payment of the order; null if nothing was due. */
  payment: z
    .object({
      provider: z.string(),
      /** Id of the payment at its provider. */
      key: z.string(),
      /** `refundDue`: the service refunds the payment as soon as the provider can be reached. */
      state: z.enum(['open', 'succeeded', 'failed', 'refundDue', 'refunded']),
    })
    .nullable(),
})

const wholeOrder = operatedOrder.extend({
  items: z.array(
    z.object({
      /** Key of the offer in the operator's offers file, and its revision. */
      key: z.string(),
      revision: z.int(),
      title: z.string(),
      idAsset: z.int().nullable(),
      amount,
      discount: amount,
      /** The operator's promotion at the time of the purchase. Null without one. */
      promotion: z
        .object({
          /** Price per period during the promotion, and the number of these periods. */
          price: amount,
          periods: z.int(),
          /** Price per period after the promotion. */
          usualPrice: amount,
        })
        .nullable(),
    }),
  ),
  /** The voucher code of the order. */
  voucher: z.string().nullable(),
  /** Numbers of the receipt and the credit note of the order. */
  receipts: z.array(z.string()),
})

export const listOrders = operation({
  name: 'listOrders',
  method: 'GET',
  path: OPERATOR_PATH,
  as: 'operator',
  summary: `The newest orders, at most ${MOST_ORDERS}, by state or by the e-mail address of the account.`,
  input: z.object({ state: z.enum(ORDER_STATES).optional(), email: text(320).optional() }),
  output: z.array(operatedOrder),
})

export const readOrder = operation({
  name: 'readOrder',
  method: 'GET',
  path: `${OPERATOR_PATH}/:idOrder`,
  as: 'operator',
  summary: 'An order with its offers, their promotions, its voucher and its receipts.',
  input: z.object({ idOrder: id }),
  output: wholeOrder,
  errors: ['notFound'],
})

export const refundOrder = operation({
  name: 'refundOrder',
  method: 'POST',
  path: `${OPERATOR_PATH}/:idOrder/refund`,
  as: 'operator',
  summary:
    'Refunds the whole payment of an executed order, and ends its rights at once. Repeated calls change nothing.',
  input: z.object({ idOrder: id }),
  output: wholeOrder,
  errors: ['conflict', 'notFound', 'nothingToPay'],
})

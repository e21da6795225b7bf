import * as z from 'zod'
import { amount } from './money.ts'
import { operation } from './operation.ts'
import { ORDER_STATES } from './orders.ts'
import { id, text } from './wire.ts'

const OPERATOR_PATH = '/operator/orders'

/** Most orders in one answer. */
export const MOST_ORDERS = 200

/** An order as its operator sees it. Times are seconds since the Unix epoch. */
const operatedOrder = z.object({
  idOrder: z.int(),
  idAccount: z.int(),
  email: z.string(),
  state: z.enum(ORDER_STATES),
  /** The amount paid for it, after the discount. */
  amount,
  discount: amount,
  submittedAt: z.int(),
  closedAt: z.int().nullable(),
  /** Null when nothing was due. */
  payment: z
    .object({
      provider: z.string(),
      /** Names the payment at its provider. */
      key: z.string(),
      /** A payment that is `refundDue` goes back as soon as the provider answers. */
      state: z.enum(['open', 'succeeded', 'failed', 'refundDue', 'refunded']),
    })
    .nullable(),
})

const wholeOrder = operatedOrder.extend({
  items: z.array(
    z.object({
      /** The offer, by its name in files, and its revision. */
      key: z.string(),
      revision: z.int(),
      title: z.string(),
      idAsset: z.int().nullable(),
      amount,
      discount: amount,
      /** The operator's promotion that it was bought by. Null without one. */
      promotion: z
        .object({
          /** What each of its periods costs, and how many there are. */
          price: amount,
          periods: z.int(),
          /** What each period after them costs. */
          usualPrice: amount,
        })
        .nullable(),
    }),
  ),
  /** The code that was used. */
  voucher: z.string().nullable(),
  /** Numbers of its receipt and its credit note. */
  receipts: z.array(z.string()),
})

export const listOrders = operation({
  name: 'listOrders',
  method: 'GET',
  path: OPERATOR_PATH,
  as: 'operator',
  summary: `The newest orders, ${MOST_ORDERS} at most: of a state, or of the accounts with an e-mail address.`,
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
    'Gives the whole payment of an executed order back, and ends what was bought at once. Asked again, it changes nothing.',
  input: z.object({ idOrder: id }),
  output: wholeOrder,
  errors: ['conflict', 'notFound', 'nothingToPay'],
})

import { ORDER_STATES } from '@ondine/contract/orders'
import { type Command, CommandError } from '../../../control/commands.ts'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { presentOrder, presentWhole } from './operated-orders.presenter.ts'
import * as operated from './operated-orders.ts'
import { refundOrder } from './refund-order.ts'
import { openTakeOver } from './take-over.ts'

type WholeOrder = ReturnType<typeof presentWhole>

/** Formats an item of an order as one line. */
function itemLine({
  key,
  revision,
  title,
  amount,
  discount,
  idAsset,
  promotion,
}: WholeOrder['items'][number]): string {
  const subject = idAsset === null ? '' : `, title ${idAsset}`
  return `  ${key}, revision ${revision}: ${title}${subject}, ${amount} EUR, discount ${discount} EUR${promotionText(promotion)}`
}

/** Formats the promotion of an item for the end of the item's line. Empty without a promotion. */
function promotionText(promotion: WholeOrder['items'][number]['promotion']): string {
  if (promotion === null) return ''
  const { price, periods, usualPrice } = promotion
  const length = periods === 1 ? '1 period' : `${periods} periods`
  return `, promotion of ${price} EUR for ${length}, usual price ${usualPrice} EUR`
}

/** Formats an order as one line. */
function lineOf(order: ReturnType<typeof presentOrder>): string {
  const { idOrder, email, state, amount, submittedAt, payment } = order
  const at = new Date(submittedAt * 1000).toISOString()
  return `${idOrder}  ${at}  ${email}  ${amount} EUR  ${state}${payment ? `, payment ${payment.state}` : ''}`
}

async function requireOrder(db: Database, written: string): Promise<operated.WholeOrder> {
  const id = /^[1-9]\d{0,8}$/.test(written) ? Number(written) : 0
  const order = id === 0 ? undefined : await operated.wholeOrder(db, id)
  if (!order) throw new CommandError(`There is no order ${written}: see orders list.`)
  return order
}

export const listOrdersCommand: Command = {
  name: 'orders list',
  summary: 'List the newest orders.',
  arguments: [{ name: 'email', summary: 'only orders of accounts with this address', optional: true }],
  options: [{ flags: '--state <state>', summary: `only orders in this state: ${ORDER_STATES.join(', ')}` }],
  run: async ({ db }, { arguments: [email], options }, { report }) => {
    const state = ORDER_STATES.find((each) => each === options.state)
    if (options.state !== undefined && state === undefined)
      throw new CommandError(`There is no state ${options.state}. States: ${ORDER_STATES.join(', ')}.`)
    const all = await operated.listOrders(db, { state, email })
    if (all.length === 0) report({ text: 'There are no such orders.' })
    for (const order of all) report({ text: lineOf(presentOrder(order)) })
  },
}

export const showOrderCommand: Command = {
  name: 'orders show',
  summary: 'Show an order with its offers and their promotions, its voucher, its payment and its receipts.',
  arguments: [{ name: 'order', summary: 'the number of the order' }],
  run: async ({ db }, { arguments: [written = ''] }, { report }) => {
    const order = presentWhole(await requireOrder(db, written))
    report({ text: lineOf(order) })
    for (const item of order.items) report({ text: itemLine(item) })
    if (order.voucher !== null) report({ text: `  voucher ${order.voucher}` })
    if (order.payment) report({ text: `  payment ${order.payment.key} at ${order.payment.provider}` })
    for (const number of order.receipts) report({ text: `  receipt ${number}` })
  },
}

export const refundOrderCommand: Command = {
  name: 'orders refund',
  summary: 'Refund the whole payment of an order, and end the rights that it bought.',
  arguments: [{ name: 'order', summary: 'the number of the order' }],
  run: async ({ db, clock, log, providers, settings }, { arguments: [written = ''] }, { report }) => {
    const { order } = await requireOrder(db, written)
    try {
      const { RENEWAL_RETRY_DAYS: retryDays, SELLER: seller } = settings
      const parts = { db, log, retryDays, seller }
      await refundOrder({ ...parts, takeOver: openTakeOver(parts), clock, providers }, order.id)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const reason =
        error.error === 'nothingToPay'
          ? 'cost nothing'
          : `is ${order.state}; only executed orders can be refunded`
      throw new CommandError(`Order ${order.id} ${reason}.`)
    }
    const { payment, receipts } = presentWhole(await requireOrder(db, written))
    report({
      text:
        payment?.state === 'refunded'
          ? `Order ${order.id} was refunded: ${receipts.at(-1)}.`
          : `Order ${order.id} has ended. Its refund is tried every minute until the provider answers.`,
    })
  },
}

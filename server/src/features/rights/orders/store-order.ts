import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { findPayment, insertPayments, type Payment } from '../payments/payments.service.ts'
import type { Order } from './execute-order.ts'
import { orderItems, orders } from './orders.table.ts'

/** An open order, with its payment. */
export interface OpenOrder {
  order: Order
  payment: Payment | undefined
}

/** Returns an open order with its payment. */
export async function withPayment(db: Database | Transaction, order: Order): Promise<OpenOrder> {
  return { order, payment: order.paymentId === null ? undefined : await findPayment(db, order.paymentId) }
}

/** An order to store. */
export interface NewOrder {
  order: Omit<typeof orders.$inferInsert, 'id' | 'state' | 'paymentId'>
  items: readonly Omit<typeof orderItems.$inferInsert, 'id' | 'orderId'>[]
  /**
   * Payment of the order. A payment of 0 cents only saves a card. Undefined if no money is due and no card is
   * required.
   */
  payment: Pick<Payment, 'provider' | 'description' | 'language' | 'returnUrl'> | undefined
}

/** Stores an order with its items and its payment. */
export async function storeOrder(tx: Transaction, order: NewOrder): Promise<OpenOrder> {
  const [stored] = await storeOrders(tx, [order])
  if (!stored) throw new Error('The order was not stored.')
  return stored
}

/**
 * Stores orders in one SQL statement. No two orders may have the same account and the same content.
 *
 * @returns the orders, in no particular sequence
 */
export async function storeOrders(tx: Transaction, all: readonly NewOrder[]): Promise<OpenOrder[]> {
  if (all.length === 0) return []
  const keyed = all.map((each) => ({ ...each, key: randomUUID() }))
  const asked = keyed.flatMap(({ order: { accountId, cents, expiresAt }, payment, key }) =>
    payment ? [{ ...payment, accountId, cents, expiresAt, key }] : [],
  )
  const paid = asked.length === 0 ? undefined : tx.$with('paid').as(insertPayments(tx, asked))
  const stored = tx.$with('stored').as(
    tx
      .insert(orders)
      .values(
        keyed.map(({ order, payment, key }) => ({
          ...order,
          state: 'submitted' as const,
          paymentId:
            paid && payment ? sql`(select ${paid.id} from ${paid} where ${paid.key} = ${key})` : null,
        })),
      )
      .returning(),
  )
  const listed = tx.$with('listed').as(
    tx
      .insert(orderItems)
      .values(
        keyed.flatMap(({ order: { accountId, content }, items }) =>
          items.map((item) => ({
            ...item,
            orderId: sql`(select ${stored.id} from ${stored} where ${stored.accountId} = ${accountId} and ${stored.content} = ${content})`,
          })),
        ),
      )
      .returning({ id: orderItems.id }),
  )
  if (paid === undefined) {
    const rows = await tx.with(stored, listed).select().from(stored)
    return rows.map((order) => ({ order, payment: undefined }))
  }
  const rows = await tx
    .with(paid, stored, listed)
    .select()
    .from(stored)
    .leftJoin(paid, eq(stored.paymentId, paid.id))
  return rows.map(({ stored: order, paid: payment }) => ({ order, payment: payment ?? undefined }))
}

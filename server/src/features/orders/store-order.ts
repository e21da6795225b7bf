import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import type { Payment } from '../payments/payments.service.ts'
import { payments } from '../payments/payments.table.ts'
import type { Order } from './execute-order.ts'
import { orderItems, orders } from './orders.table.ts'

/** An order that is open, with its payment. */
export interface OpenOrder {
  order: Order
  payment: Payment | undefined
}

/** An order that is submitted. */
export interface NewOrder {
  order: Omit<typeof orders.$inferInsert, 'id' | 'state' | 'paymentId'>
  items: readonly Omit<typeof orderItems.$inferInsert, 'id' | 'orderId'>[]
  /** How it is paid, or its card is saved; undefined when there is nothing to do. */
  payment: Pick<Payment, 'provider' | 'description' | 'language' | 'returnUrl'> | undefined
}

/** Stores an order with its items and the payment that is about to be asked for, in one statement. */
export async function storeOrder(tx: Transaction, { order, items, payment }: NewOrder): Promise<OpenOrder> {
  const { accountId, cents, expiresAt } = order
  const paid =
    payment &&
    tx.$with('paid').as(
      tx
        .insert(payments)
        .values({ ...payment, accountId, cents, expiresAt, key: randomUUID() })
        .returning(),
    )
  const stored = tx.$with('stored').as(
    tx
      .insert(orders)
      .values({
        ...order,
        state: 'submitted',
        paymentId: paid ? sql`(select ${paid.id} from ${paid})` : null,
      })
      .returning(),
  )
  const listed = tx.$with('listed').as(
    tx
      .insert(orderItems)
      .values(items.map((item) => ({ ...item, orderId: sql`(select ${stored.id} from ${stored})` })))
      .returning({ id: orderItems.id }),
  )
  if (paid === undefined) {
    const [row] = await tx.with(stored, listed).select().from(stored)
    if (!row) throw new Error('The order was not stored.')
    return { order: row, payment: undefined }
  }
  const [row] = await tx.with(paid, stored, listed).select().from(stored).innerJoin(paid, sql`true`)
  if (!row) throw new Error('The order was not stored.')
  return { order: row.stored, payment: row.paid }
}

import type { FastifyBaseLogger } from 'fastify'
import type { Database } from '../../../database/connection.ts'
import { inSlices } from '../../../database/in-slices.ts'
import { oneOf } from '../../../database/one-of.ts'
import { allCartRows, type CartRow } from './cart.service.ts'
import type { Order } from './execute-order.ts'
import { orders } from './orders.table.ts'

interface Parts {
  db: Database
  log: FastifyBaseLogger
}

/** Reads the rows of an account's cart. */
export type ReadCart = (accountId: number) => Promise<readonly CartRow[]>

/**
 * Returns the function that reads carts. One statement reads the carts of all concurrent calls
 * (docs/decisions/0066).
 */
export function openCartReads({ db, log }: Parts): ReadCart {
  return inSlices<number, readonly CartRow[]>({
    log,
    failsTogether: true,
    together: async (accountIds) => {
      const rows = await allCartRows(db, accountIds)
      return accountIds.map((id) => rows.get(id) ?? [])
    },
  })
}

/** Reads an order of an account. Returns undefined for an order of another account. */
export type FindOrder = (asked: { accountId: number; orderId: number }) => Promise<Order | undefined>

/**
 * Returns the function that reads orders. One statement reads the orders of all concurrent calls
 * (docs/decisions/0066).
 */
export function openOrderReads({ db, log }: Parts): FindOrder {
  return inSlices<Parameters<FindOrder>[0], Order | undefined>({
    log,
    failsTogether: true,
    together: async (asked) => {
      const ids = asked.map(({ orderId }) => orderId)
      const found = await db
        .select()
        .from(orders)
        .where(oneOf(orders.id, ids))
        .prepare('find_orders')
        .execute()
      const byId = new Map(found.map((order) => [order.id, order]))
      return asked.map(({ accountId, orderId }) => {
        const order = byId.get(orderId)
        return order?.accountId === accountId ? order : undefined
      })
    },
  })
}

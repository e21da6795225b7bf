import { listOrders, readOrder, refundOrder } from '@ondine/contract/operated-orders'
import type { Database } from '../../../database/connection.ts'
import { notFoundBy } from '../../../http/errors.ts'
import type { On } from '../../../http/operations.ts'
import { presentOrder, presentWhole } from './operated-orders.presenter.ts'
import * as operated from './operated-orders.ts'
import { refundOrder as giveBack } from './refund-order.ts'
import type { SettleParts } from './settlement.service.ts'

export function registerOperatedOrders(on: On, parts: SettleParts): void {
  const { db } = parts

  on(listOrders, async (wish) => (await operated.listOrders(db, wish)).map(presentOrder))

  on(readOrder, async ({ idOrder }) => presentWhole(await requireOrder(db, idOrder)))

  on(refundOrder, async ({ idOrder }) => {
    await requireOrder(db, idOrder)
    await giveBack(parts, idOrder)
    return presentWhole(await requireOrder(db, idOrder))
  })
}

async function requireOrder(db: Database, id: number): Promise<operated.WholeOrder> {
  const order = await operated.wholeOrder(db, id)
  if (!order) throw notFoundBy('idOrder')
  return order
}

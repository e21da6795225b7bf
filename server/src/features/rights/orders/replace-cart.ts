import type { FastifyBaseLogger } from 'fastify'
import type { Database, Transaction } from '../../../database/connection.ts'
import { inRounds, inSlices, limitLockWaits } from '../../../database/in-slices.ts'
import { holdAccounts, requireUsable } from '../../people/accounts/accounts.service.ts'
import type { Line } from './cart-rules.ts'
import { clearCarts } from './clear-cart.ts'
import { cartItems } from './orders.table.ts'
import { refusalOr } from './refusals.ts'

/** New content of a cart. */
interface NewCart {
  account: { id: number; since: number }
  lines: readonly Line[]
}

/** Replaces the lines of a cart. @throws ServiceError tokenInvalid */
export type ReplaceCart = (cart: NewCart) => Promise<void>

/** Returns the function that replaces carts. Concurrent calls share one transaction (docs/decisions/0064). */
export function openCarts({ db, log }: { db: Database; log: FastifyBaseLogger }): ReplaceCart {
  const replaceAll = async (carts: readonly NewCart[]) =>
    await db.transaction(async (tx) => {
      await limitLockWaits(tx, carts)
      const refused = new Map<NewCart, Error>()
      for (const some of inRounds(carts, ({ account }) => account.id))
        for (const [cart, refusal] of await replaceSome(tx, some)) refused.set(cart, refusal)
      return carts.map((cart) => refused.get(cart) ?? null)
    })
  const replace = inSlices<NewCart, null>({ log, together: replaceAll })
  return async (cart) => void (await replace(cart))
}

/** Replaces the lines of carts of different accounts. @returns the rejected carts, each with its error */
async function replaceSome(tx: Transaction, carts: readonly NewCart[]): Promise<Map<NewCart, Error>> {
  const accounts = await holdAccounts(
    tx,
    carts.map(({ account }) => account.id),
  )
  const refused = new Map<NewCart, Error>()
  for (const cart of carts) {
    const { id, since } = cart.account
    const account = await refusalOr(() => requireUsable(accounts.get(id), since))
    if (account instanceof Error) refused.set(cart, account)
  }
  const filled = carts.filter((cart) => !refused.has(cart))
  if (filled.length === 0) return refused
  await clearCarts(
    tx,
    filled.map(({ account }) => account.id),
  )
  await tx.insert(cartItems).values(
    filled.flatMap(({ account, lines }) =>
      lines.map(({ offer, assetId }, position) => ({
        accountId: account.id,
        position,
        offerRevisionId: offer.revisionId,
        assetId,
      })),
    ),
  )
  return refused
}

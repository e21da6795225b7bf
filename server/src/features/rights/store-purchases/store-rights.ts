import type { storeTransactions } from './store-purchases.table.ts'

export type StoreTransaction = typeof storeTransactions.$inferSelect

type Paid = Pick<StoreTransaction, 'productId' | 'startsAt' | 'endsAt' | 'graceUntil' | 'revokedAt'>

/**
 * Returns when the rights of a transaction end: null for unlimited rights, undefined if the transaction gives no
 * rights. When the buyer changes to another product of the same purchase, the rights to the previous product end.
 *
 * @param all all transactions of the same purchase
 */
export function endOf(transaction: Paid, all: readonly Paid[]): number | null | undefined {
  const { productId, startsAt, endsAt, graceUntil, revokedAt } = transaction
  if (revokedAt !== null) return undefined
  if (endsAt === null) return null
  const next = all
    .filter((other) => other.productId !== productId && other.revokedAt === null && other.startsAt > startsAt)
    .map((other) => other.startsAt)
  return Math.min(Math.max(endsAt, graceUntil ?? 0), ...next)
}

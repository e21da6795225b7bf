import type { DeviceStore } from '@ondine/contract/store-purchases'

/** A store's statement about a purchase. Times are milliseconds since the Unix epoch. */
export interface StoreStatement {
  store: DeviceStore
  /** Identifies the purchase across its renewals: Apple's original transaction, or Google's purchase token. */
  purchase: string
  /** Reference of the purchase that this purchase replaces, for example after a change of plan. */
  replaces?: string | undefined
  /** Time of the statement. The latest statement counts, even if statements arrive in another order. */
  saidAt: number
  /** Whether the store renews the purchase; undefined if the statement does not say. */
  renews?: boolean | undefined
  transactions: StatedTransaction[]
  /** When to query the store again; null for never. */
  checkAt: number | null
}

/** Payment as reported by a store. */
export interface StatedTransaction {
  /** Apple's transaction, or Google's order. */
  reference: string
  productId: string
  startsAt: number
  /** End of the paid period; null for a one-time purchase. */
  endsAt: number | null
  /** Until when the purchase gives access after its end; undefined if the statement does not say. */
  graceUntil?: number | null | undefined
  /** When the store revoked the transaction; null if it did not, undefined if the statement does not say. */
  revokedAt?: number | null | undefined
}

import type { DeviceStore } from '@ondine/contract/store-purchases'

/** A store's statement about a purchase. Times are milliseconds since the Unix epoch. */
export interface StoreStatement {
  store: DeviceStore
  /** Identifies the purchase across its renewals: Apple's original transaction, or Google's purchase token. */
  purchase: string
  /** The purchase that it replaces, as after a change of plan. */
  replaces?: string | undefined
  /** Time of the statement. The latest one counts, in whatever order they arrive. */
  saidAt: number
  /** Whether the store renews it; undefined if the statement does not say. */
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
  /** Until when it plays beyond its end; undefined if the statement does not say. */
  graceUntil?: number | null | undefined
  /** When it was revoked; null if it was not, undefined if the statement does not say. */
  revokedAt?: number | null | undefined
}

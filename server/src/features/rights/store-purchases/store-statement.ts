import type { DeviceStore } from '@ondine/contract/store-purchases'

/** The state of a purchase as a store reports it. Times are milliseconds since the Unix epoch. */
export interface StoreStatement {
  store: DeviceStore
  /** Id of the purchase across its renewals: Apple's original transaction, or Google's purchase token. */
  purchase: string
  /** Reference of the purchase that this purchase replaces, for example after a change of plan. */
  replaces?: string | undefined
  /** Time of the statement. An earlier statement that arrives later has no effect. */
  saidAt: number
  /** Whether the store renews the purchase; undefined if the statement does not contain this. */
  renews?: boolean | undefined
  transactions: StatedTransaction[]
  /** When to query the store again; null for never. */
  checkAt: number | null
}

/** A payment as a store reports it. */
export interface StatedTransaction {
  /** Id of Apple's transaction, or of Google's order. */
  reference: string
  productId: string
  startsAt: number
  /** End of the paid period; null for a one-time purchase. */
  endsAt: number | null
  /**
   * End of access while the store retries a failed charge; null for no grace period, undefined if not reported.
   */
  graceUntil?: number | null | undefined
  /** When the store revoked the transaction; null if it is not revoked, undefined if not reported. */
  revokedAt?: number | null | undefined
}

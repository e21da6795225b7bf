import type { DeviceStore } from '@ondine/contract/store-purchases'

/** What a store says of a purchase. Times are milliseconds since the Unix epoch. */
export interface StoreStatement {
  store: DeviceStore
  /** Names the purchase through all its renewals: the original transaction of Apple, the purchase token of Google. */
  purchase: string
  /** The purchase that it takes the place of, as after a change of plan. */
  replaces?: string | undefined
  /** When the store said this. A later statement counts, in whatever order they come. */
  saidAt: number
  /** Whether the store renews it; undefined where the statement does not tell. */
  renews?: boolean | undefined
  transactions: StatedTransaction[]
  /** When the store is to be asked again; null for never. */
  checkAt: number | null
}

/** A payment, as a store tells of it. */
export interface StatedTransaction {
  /** The transaction of Apple, the order of Google. */
  reference: string
  productId: string
  startsAt: number
  /** The end of the period that it pays; null for what is bought once. */
  endsAt: number | null
  /** Until when the store lets it play beyond its end; undefined where the statement does not tell. */
  graceUntil?: number | null | undefined
  /** When it was taken back; null when it was not, undefined where the statement does not tell. */
  revokedAt?: number | null | undefined
}

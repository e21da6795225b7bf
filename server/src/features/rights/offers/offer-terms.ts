import type { RecurrenceUnit, Store } from '@ondine/contract/offers'
import type { LocalisedText } from '../../../database/columns.ts'

/** What a purchase gives access to: packages, the chosen title, a season, or a channel. */
export type Opens =
  | { kind: 'packages' }
  | { kind: 'title' }
  | { kind: 'season'; categoryId: number }
  | { kind: 'channel'; channelId: number }

/**
 * Terms of an offer, as a revision stores them. Amounts are cents with VAT, times milliseconds since the Unix epoch.
 */
export interface OfferTerms {
  /** Markdown (A3-20). */
  names: LocalisedText
  /** In three parts (A3-21). */
  synopses: LocalisedText
  /** One per line. */
  conditions: LocalisedText
  /** The price of each period; of a rental or a pay-per-view, the whole price. */
  cents: number
  /** Null for a one-time payment. */
  recurrence: { unit: RecurrenceUnit; period: number } | null
  /** Paid once, at the beginning. */
  setupCents: number
  /** Free days at the beginning, for an account that has not used its trial. */
  trialDays: number
  /** A lower price for the first periods. */
  introduction: { cents: number; periods: number } | null
  /**
   * How long it may be watched, in seconds: a rental from its first play on, a channel from the purchase on. Null: as
   * long as it is available.
   */
  slotSeconds: number | null
  opens: Opens
  /** Packages that it opens, or that the title bought with it must be in. */
  packageIds: number[]
  /** Identifies the plan. Offers of one plan differ in their period, such as monthly and yearly. */
  plan: string | null
  /** Keys of offers: one of them must be held, or bought with it (2212). */
  requires: string[]
  /** Keys of offers that cannot be held with it (1103). */
  excludes: string[]
  /** Whether an account can buy it only once (2336). */
  once: boolean
  downloads: boolean
  /** Null: unlimited. */
  validFrom: number | null
  validTo: number | null
  externalIds: Partial<Record<Store, string>>
}

import type { RecurrenceUnit, Store } from '@ondine/contract/offers'
import type { LocalisedText } from '../../../database/columns.ts'

/** The target of the right that a purchase gives: packages, the chosen title, a season, or a channel. */
export type Opens =
  | { kind: 'packages' }
  | { kind: 'title' }
  | { kind: 'season'; categoryId: number }
  | { kind: 'channel'; channelId: number }

/**
 * Terms of an offer, as stored in a revision. Amounts are cents with VAT, times milliseconds since the Unix
 * epoch.
 */
export interface OfferTerms {
  /** Markdown (A3-20). */
  names: LocalisedText
  /** In three parts (A3-21). */
  synopses: LocalisedText
  /** One per line. */
  conditions: LocalisedText
  /** The price of each period of a subscription, or the whole price of a rental or a pay-per-view. */
  cents: number
  /** Null for a one-time payment. */
  recurrence: { unit: RecurrenceUnit; period: number } | null
  /** Paid once, at the beginning. */
  setupCents: number
  /** Free days at the beginning, for an account that has not used its trial of the plan. */
  trialDays: number
  /** A lower price for the first periods. */
  introduction: { cents: number; periods: number } | null
  /**
   * How long the content may be watched, in seconds. The time of a rental starts at the first play, the time of a
   * channel at the purchase. Null: as long as the content is available.
   */
  slotSeconds: number | null
  opens: Opens
  /** The packages that the offer opens. If the buyer chooses a title, the title must be in one of these packages. */
  packageIds: number[]
  /** Identifies the plan. Offers of the same plan differ in their period, such as monthly and yearly. */
  plan: string | null
  /** Keys of offers. The account must hold at least one of these offers, or buy it in the same order (-2212). */
  requires: string[]
  /** Keys of offers that an account cannot hold at the same time (-1103). */
  excludes: string[]
  /** Whether an account can buy the offer only once (-2336). */
  once: boolean
  downloads: boolean
  /** Largest height of video that the offer opens, in lines; omitted for any. Earlier revisions lack it. */
  maximumHeight?: number
  /** Null: unlimited. */
  validFrom: number | null
  validTo: number | null
  externalIds: Partial<Record<Store, string>>
}

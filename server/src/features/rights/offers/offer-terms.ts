import type { RecurrenceUnit, Store } from '@ondine/contract/offers'
import type { LocalisedText } from '../../../database/columns.ts'

/**
 * The target of the right that a purchase gives: packages, the title that the buyer chooses, a season, or a
 * channel.
 */
export type Opens =
  | { kind: 'packages' }
  /** `assetId` is set if the offer is for a single title. Earlier revisions lack it. */
  | { kind: 'title'; assetId?: number }
  | { kind: 'season'; categoryId: number }
  | { kind: 'channel'; channelId: number }

/**
 * Terms of an offer, as stored in a revision. Amounts are cents with VAT, times milliseconds since the Unix
 * epoch.
 */
export interface OfferTerms {
  /** Names in Markdown (A3-20). */
  names: LocalisedText
  /** Description, advantages and legal text, in one text per language (A3-21). */
  synopses: LocalisedText
  /** Special conditions, one per line (A3-21). */
  conditions: LocalisedText
  /** The price of each period of a subscription, or the whole price of a rental or a pay-per-view. */
  cents: number
  /** Length of a period; null for a one-time payment. */
  recurrence: { unit: RecurrenceUnit; period: number } | null
  /** One-time fee at the beginning, in cents. 0 for none. */
  setupCents: number
  /** Number of free days at the beginning, for an account that has not used its trial of the plan. */
  trialDays: number
  /** Introductory price of the first `periods` periods; null for none. */
  introduction: { cents: number; periods: number } | null
  /**
   * How long the content may be watched, in seconds. For a rental, the time starts at the first play. For a
   * channel, it starts at the purchase. Null means as long as the content is available.
   */
  slotSeconds: number | null
  opens: Opens
  /**
   * The packages that the offer sells. If the buyer chooses a title, the title must be in one of these packages.
   */
  packageIds: number[]
  /** Identifies the plan. Offers of the same plan differ in their period, such as monthly and yearly. */
  plan: string | null
  /** Keys of offers. The account must hold at least one of these offers, or buy it in the same order (-2212). */
  requires: string[]
  /**
   * Keys of offers that an account cannot hold together with this offer. The rule applies in both directions: -1103 for
   * two offers in one order, -14005 if the account holds one of them already.
   */
  excludes: string[]
  /** Whether an account can buy the offer only once (-2336). */
  once: boolean
  downloads: boolean
  /**
   * Greatest height of video that the offer allows, in lines; omitted for no limit. Earlier revisions lack this
   * field.
   */
  maximumHeight?: number
  /** Period of sale, in milliseconds since the Unix epoch. Null means no limit. */
  validFrom: number | null
  validTo: number | null
  externalIds: Partial<Record<Store, string>>
}

import type { RecurrenceUnit, Store } from '@ondine/contract/offers'
import type { Texts } from '../../database/columns.ts'

/** What a purchase opens: packages, the title that was chosen, a season, or a channel. */
export type Opens =
  | { kind: 'packages' }
  | { kind: 'title' }
  | { kind: 'season'; categoryId: number }
  | { kind: 'channel'; channelId: number }

/** All that an offer says, as a revision keeps it. Amounts are cents with VAT, times milliseconds since the Unix epoch. */
export interface OfferTerms {
  /** Markdown (A3-20). */
  names: Texts
  /** In three parts (A3-21). */
  synopses: Texts
  /** One each line. */
  conditions: Texts
  /** The price of each period; of a rental or a pay-per-view, the whole price. */
  cents: number
  /** Null for what is paid once. */
  recurrence: { unit: RecurrenceUnit; period: number } | null
  /** Paid once, at the beginning. */
  setupCents: number
  /** Free at the beginning, for an account that has not tried it. */
  trialDays: number
  /** A lower price for the first periods. */
  introduction: { cents: number; periods: number } | null
  /** How long it may be watched, in seconds: a rental from its first play on, a channel from the purchase on. Null: as long as it is there. */
  slotSeconds: number | null
  opens: Opens
  /** What it opens, or in what a title must stand that is bought with it. */
  packageIds: number[]
  /** Names what it is one period of: a plan is paid monthly or yearly. */
  plan: string | null
  /** Keys of offers: one of them must be held, or bought with it (2212). */
  requires: string[]
  /** Keys of offers that cannot be held with it (1103). */
  excludes: string[]
  /** It can be bought once in an account's life (2336). */
  once: boolean
  downloads: boolean
  /** Null: from now on, and until further notice. */
  validFrom: number | null
  validTo: number | null
  externalIds: Partial<Record<Store, string>>
}

import { integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { trackSets } from '../titles/titles.table.ts'

export const creativeState = pgEnum('creative_state', ['waiting', 'ready', 'failed'])

/** The video of an advertisement, downloaded and transcoded once. */
export const adCreatives = pgTable('ad_creatives', {
  /** SHA-256 of the address, in hexadecimal digits. */
  id: text().primaryKey(),
  address: text().notNull(),
  state: creativeState().notNull().default('waiting'),
  trackSetId: text().references(() => trackSets.id),
  /**
   * Storefront whose ad server was the first to name the creative. The creative counts towards this storefront's
   * limit. 0 if a process of an earlier version stored the row during an update.
   */
  storefrontId: integer().notNull().default(0),
  /**
   * When an ad server last named the creative. A sweep removes ready and failed creatives a month after this time.
   */
  namedAt: moment().notNull(),
  createdAt: createdAt(),
})

import { integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { trackSets } from '../titles/titles.table.ts'

export const creativeState = pgEnum('creative_state', ['waiting', 'ready', 'failed'])

/** Video of an advertisement, which is fetched and prepared once. */
export const adCreatives = pgTable('ad_creatives', {
  /** SHA-256 of the address, in hexadecimal digits. */
  id: text().primaryKey(),
  address: text().notNull(),
  state: creativeState().notNull().default('waiting'),
  trackSetId: text().references(() => trackSets.id),
  /**
   * Storefront whose ad server named the creative first. It is counted among those of this storefront. 0 if a process of
   * an earlier version stored it during an update.
   */
  storefrontId: integer().notNull().default(0),
  /** When an ad server last named the creative. The sweep removes ready and failed creatives a month later. */
  namedAt: moment().notNull(),
  createdAt: createdAt(),
})

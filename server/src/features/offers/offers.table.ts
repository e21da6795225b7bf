import { OFFER_TYPES } from '@ondine/contract/offers'
import { integer, jsonb, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import type { OfferTerms } from './offer-terms.ts'

export const offerType = pgEnum('offer_type', OFFER_TYPES)

/** What is sold (A3-17 to A3-25). What is said of it, and for how much, stands in its revisions. */
export const offers = pgTable('offers', {
  id: serial().primaryKey(),
  /** Its name in files and commands. */
  key: text().notNull().unique(),
  type: offerType().notNull(),
  /** When it was taken off sale. */
  withdrawnAt: moment(),
  createdAt: createdAt(),
})

/** What an offer said at a time. Rows are added, never changed: a purchase names the one whose terms it keeps. */
export const offerRevisions = pgTable(
  'offer_revisions',
  {
    id: serial().primaryKey(),
    offerId: integer()
      .notNull()
      .references(() => offers.id),
    /** From 1. */
    number: integer().notNull(),
    terms: jsonb().$type<OfferTerms>().notNull(),
    madeAt: moment().notNull(),
  },
  (table) => [unique().on(table.offerId, table.number)],
)

import { OFFER_TYPES } from '@ondine/contract/offers'
import { integer, jsonb, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import type { OfferTerms } from './offer-terms.ts'

export const offerType = pgEnum('offer_type', OFFER_TYPES)

/** Offers (A3-17 to A3-25). Their terms and prices are in their revisions. */
export const offers = pgTable('offers', {
  id: serial().primaryKey(),
  /** Name of the offer in files and commands. */
  key: text().notNull().unique(),
  type: offerType().notNull(),
  /** When the offer was withdrawn from sale; null for an offer that is not withdrawn. */
  withdrawnAt: moment(),
  createdAt: createdAt(),
})

/**
 * Revisions of the terms of offers. Rows are added, never changed. A purchase refers to one revision, so later
 * changes of the offer do not affect it.
 */
export const offerRevisions = pgTable(
  'offer_revisions',
  {
    id: serial().primaryKey(),
    offerId: integer()
      .notNull()
      .references(() => offers.id),
    /** Number of the revision, counted from 1 for each offer. */
    number: integer().notNull(),
    terms: jsonb().$type<OfferTerms>().notNull(),
    madeAt: moment().notNull(),
  },
  (table) => [unique().on(table.offerId, table.number)],
)

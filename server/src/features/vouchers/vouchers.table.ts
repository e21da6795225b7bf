import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import type { VoucherTerms } from './voucher-terms.ts'

/** Discounts and gifts that are had for a code. */
export const vouchers = pgTable('vouchers', {
  id: serial().primaryKey(),
  /** Its name in files and commands. */
  key: text().notNull().unique(),
  /** What holds now. An order keeps the discount it was submitted with. */
  terms: jsonb().$type<VoucherTerms>().notNull(),
  withdrawnAt: moment(),
  createdAt: createdAt(),
})

/** The codes of vouchers. */
export const voucherCodes = pgTable(
  'voucher_codes',
  {
    id: serial().primaryKey(),
    voucherId: integer()
      .notNull()
      .references(() => vouchers.id),
    /** Capital letters and digits alone. */
    code: text().notNull().unique(),
    /** One of a batch; otherwise the one that the operator's file names. */
    isGenerated: boolean().notNull(),
    /** Uses that count: those of orders that failed or expired are given back. */
    uses: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.voucherId), check('voucher_codes_uses', sql`${table.uses} >= 0`)],
)

/** Who has used a code. */
export const voucherUses = pgTable(
  'voucher_uses',
  {
    id: serial().primaryKey(),
    codeId: integer()
      .notNull()
      .references(() => voucherCodes.id),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    at: moment().notNull(),
    /** Of a gift, the terms of the plan that it gave. */
    offerRevisionId: integer().references(() => offerRevisions.id),
    /** When the use was given back. */
    releasedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.codeId), index().on(table.accountId), index().on(table.offerRevisionId)],
)

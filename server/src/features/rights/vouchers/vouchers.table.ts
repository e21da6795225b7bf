import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import type { VoucherTerms } from './voucher-terms.ts'

/** Discounts and gifts that viewers get for a code. */
export const vouchers = pgTable('vouchers', {
  id: serial().primaryKey(),
  /** Name of the voucher in files and commands. */
  key: text().notNull().unique(),
  /** The current terms. An order keeps the discount with which it was submitted. */
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
    /** Capital letters and digits only. */
    code: text().notNull().unique(),
    /** Whether the code belongs to a batch. Otherwise the operator's file contains it. */
    isGenerated: boolean().notNull(),
    /** Number of uses. Uses of failed and expired orders are given back. */
    uses: integer().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.voucherId), check('voucher_codes_uses', sql`${table.uses} >= 0`)],
)

/** Uses of codes by accounts. */
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
    /** Terms of the plan that a gift gave. */
    offerRevisionId: integer().references(() => offerRevisions.id),
    /** When the use was given back because the order failed or expired. */
    releasedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.codeId), index().on(table.accountId), index().on(table.offerRevisionId)],
)

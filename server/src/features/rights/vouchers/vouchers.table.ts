import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, jsonb, pgTable, serial, text } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { offerRevisions } from '../offers/offers.table.ts'
import type { VoucherTerms } from './voucher-terms.ts'

/** Vouchers: discounts and gifts that customers get with a code. */
export const vouchers = pgTable('vouchers', {
  id: serial().primaryKey(),
  /** Name of the voucher in files and commands. */
  key: text().notNull().unique(),
  /** The current terms. A submitted order keeps its discount when the terms change. */
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
    /** Whether the code was generated. Other codes come from the operator's file. */
    isGenerated: boolean().notNull(),
    /** Number of uses. Failed and expired orders release their uses. */
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
    /** The offer revision of a gift; null for a discount. */
    offerRevisionId: integer().references(() => offerRevisions.id),
    /** When the use was released, because its order failed or expired. */
    releasedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.codeId), index().on(table.accountId), index().on(table.offerRevisionId)],
)

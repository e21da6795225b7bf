import type { Language } from '@ondine/contract/languages'
import { sql } from 'drizzle-orm'
import {
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  serial,
  text,
  unique,
} from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import { payments } from '../payments/payments.table.ts'

export const receiptKind = pgEnum('receipt_kind', ['receipt', 'creditNote'])

/**
 * The last number of each kind and year. The row stays locked until the receipt is stored, so that no number is
 * skipped.
 */
export const receiptCounters = pgTable(
  'receipt_counters',
  {
    kind: receiptKind().notNull(),
    year: integer().notNull(),
    last: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.year] })],
)

/** A line of a receipt. Times are milliseconds since the Unix epoch. */
export interface ReceiptLine {
  /** Name of the offer or title in the language of the payment. */
  title: string
  /** Names by language, for lists. Receipts from before this field was added lack it. */
  titles?: Partial<Record<Language, string>>
  /** Amount of the line, VAT included, after the discount and the credit. */
  cents: number
  discountCents: number
  /** Credit for the unused time of the previous plan, on receipts of upgrades. Old receipts lack this field. */
  creditCents?: number
  /** Regular price of a period, on lines with a promotional price. */
  usualCents?: number
  /** Paid period. `to` is null if the period has no end. */
  from: number
  to: number | null
}

/**
 * Receipts and credit notes of refunds. Each row contains the whole content, so that later changes of offers or
 * accounts do not alter a receipt. Only the deletion of the account removes the buyer.
 */
export const receipts = pgTable(
  'receipts',
  {
    id: serial().primaryKey(),
    kind: receiptKind().notNull(),
    /** UTC year of issue. Numbers restart each year. */
    year: integer().notNull(),
    number: integer().notNull(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    issuedAt: moment().notNull(),
    /** Total amount, VAT included. On a credit note, the amount that was refunded. */
    cents: integer().notNull(),
    vatBasisPoints: integer().notNull(),
    vatCents: integer().notNull(),
    language: text().notNull(),
    /** Name and address of the seller, one line each. */
    seller: jsonb().$type<string[]>().notNull(),
    /** Name and address of the buyer, one line each; empty after the deletion of the account. */
    buyer: jsonb().$type<string[]>().notNull(),
    lines: jsonb().$type<ReceiptLine[]>().notNull(),
    /** When the e-mail with the receipt was queued. */
    mailedAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique().on(table.kind, table.year, table.number),
    unique().on(table.paymentId, table.kind),
    check('receipts_numbered', sql`${table.number} > 0`),
    index().on(table.accountId),
    index().on(table.id).where(sql`${table.mailedAt} is null`),
  ],
)

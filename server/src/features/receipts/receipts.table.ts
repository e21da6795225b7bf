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
import { createdAt, moment } from '../../database/columns.ts'
import { accounts } from '../accounts/accounts.table.ts'
import { payments } from '../payments/payments.table.ts'

export const receiptKind = pgEnum('receipt_kind', ['receipt', 'creditNote'])

/** The last number of each series and year. Its row is locked until the receipt is stored, so that no number is left out. */
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
  /** In the language of the payment. */
  title: string
  /** Of a plan, its names in other languages, for lists. Receipts from before there were any lack them. */
  titles?: Partial<Record<Language, string>>
  /** VAT included, after the discount and the credit. */
  cents: number
  discountCents: number
  /** The unused time of the plan before, on receipts of upgrades. Receipts from before there were any lack it. */
  creditCents?: number
  /** What a period costs after the promotion that the line was charged by. */
  usualCents?: number
  /** What it was paid for; null without an end. */
  from: number
  to: number | null
}

/** Receipts, and the credit notes of refunds. Everything that they say is kept: they stay the same whatever changes later. */
export const receipts = pgTable(
  'receipts',
  {
    id: serial().primaryKey(),
    kind: receiptKind().notNull(),
    /** UTC year in which it was issued; numbers begin anew in each. */
    year: integer().notNull(),
    number: integer().notNull(),
    accountId: integer()
      .notNull()
      .references(() => accounts.id),
    paymentId: integer()
      .notNull()
      .references(() => payments.id),
    issuedAt: moment().notNull(),
    /** VAT included; of a credit note, what went back. */
    cents: integer().notNull(),
    vatBasisPoints: integer().notNull(),
    vatCents: integer().notNull(),
    language: text().notNull(),
    /** Name and address, a line each. */
    seller: jsonb().$type<string[]>().notNull(),
    buyer: jsonb().$type<string[]>().notNull(),
    lines: jsonb().$type<ReceiptLine[]>().notNull(),
    /** When it was handed over to be sent by e-mail. */
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

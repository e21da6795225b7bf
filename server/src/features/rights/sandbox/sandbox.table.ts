import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../../database/columns.ts'

// The books of the sandbox bank. The tables have no foreign keys to Ondine's tables, because the books of an
// external bank would have none.

export const sandboxState = pgEnum('sandbox_state', ['open', 'processing', 'succeeded', 'failed', 'refunded'])

/** Ways in which the bank sends the notices of a payment: at once, late, twice, in the wrong order, or never. */
export const NOTICE_MODES = ['prompt', 'late', 'twice', 'reordered', 'never'] as const
export type NoticeMode = (typeof NOTICE_MODES)[number]

/** The only merchant of the bank, and the secret that signs its notices. */
export const sandboxMerchants = pgTable('sandbox_merchants', {
  id: integer().primaryKey(),
  noticeSecret: text().notNull(),
})

/** Cards that the bank saves for customers of the merchant. */
export const sandboxCards = pgTable(
  'sandbox_cards',
  {
    id: serial().primaryKey(),
    token: text().notNull().unique(),
    customer: text().notNull(),
    number: text().notNull(),
    expiresAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [unique().on(table.customer, table.number)],
)

/** Payments at the bank. */
export const sandboxPayments = pgTable(
  'sandbox_payments',
  {
    id: serial().primaryKey(),
    /** The merchant's idempotency key of the payment. */
    key: text().notNull().unique(),
    /** Token that identifies the payment in the address of its page. */
    token: text().notNull().unique(),
    state: sandboxState().notNull().default('open'),
    cents: integer().notNull(),
    description: text().notNull(),
    language: text().notNull(),
    returnUrl: text().notNull(),
    customer: text().notNull(),
    /** Address of the payment page. */
    pageUrl: text().notNull(),
    notices: text({ enum: NOTICE_MODES }).notNull().default('prompt'),
    /** Number of the card that the customer chose last. */
    card: text(),
    /** Whether the customer must confirm the card before it pays. */
    needsConfirmation: boolean().notNull().default(false),
    /** Whether the card that the customer chose last was declined. */
    isDeclined: boolean().notNull().default(false),
    /** When the bank of the card answers, for a payment in the state `processing`. */
    answersAt: moment(),
    expiresAt: moment().notNull(),
    paidAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.answersAt).where(sql`${table.state} = 'processing'`)],
)

/** Notices to the merchant. */
export const sandboxNotices = pgTable(
  'sandbox_notices',
  {
    id: serial().primaryKey(),
    paymentId: integer()
      .notNull()
      .references(() => sandboxPayments.id),
    /** State in the notice. The merchant must not trust this state. */
    says: sandboxState().notNull(),
    dueAt: moment().notNull(),
    tries: integer().notNull().default(0),
    /** When the merchant accepted the notice, or the bank stopped trying. */
    doneAt: moment(),
  },
  (table) => [index().on(table.dueAt).where(sql`${table.doneAt} is null`)],
)

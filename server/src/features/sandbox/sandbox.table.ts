import { sql } from 'drizzle-orm'
import { boolean, index, integer, pgEnum, pgTable, serial, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, moment } from '../../database/columns.ts'

// The books of the sandbox bank. They name nothing of Ondine's by a key, as those of a bank elsewhere would not.

export const sandboxState = pgEnum('sandbox_state', ['open', 'processing', 'succeeded', 'failed', 'refunded'])

/** How the bank tells of a payment: its notices may be late, twice, in the wrong order, or never come. */
export const NOTICE_MODES = ['prompt', 'late', 'twice', 'reordered', 'never'] as const
export type NoticeMode = (typeof NOTICE_MODES)[number]

/** The one merchant of the bank, and what its notices are signed with. */
export const sandboxMerchants = pgTable('sandbox_merchants', {
  id: integer().primaryKey(),
  noticeSecret: text().notNull(),
})

/** Cards that the bank keeps for customers of the merchant. */
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
    /** The merchant's name of it. */
    key: text().notNull().unique(),
    /** Stands in the address of its page. */
    token: text().notNull().unique(),
    state: sandboxState().notNull().default('open'),
    cents: integer().notNull(),
    description: text().notNull(),
    language: text().notNull(),
    returnUrl: text().notNull(),
    customer: text().notNull(),
    /** The address of its page. */
    pageUrl: text().notNull(),
    notices: text({ enum: NOTICE_MODES }).notNull().default('prompt'),
    /** The number of the card that was shown last. */
    card: text(),
    /** The customer has to confirm the card before it pays. */
    needsConfirmation: boolean().notNull().default(false),
    /** The card that was shown last did not pay. */
    isDeclined: boolean().notNull().default(false),
    /** Of a payment that is processing: when the customer's bank answers. */
    answersAt: moment(),
    expiresAt: moment().notNull(),
    paidAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [index().on(table.answersAt).where(sql`${table.state} = 'processing'`)],
)

/** Notices that go to the merchant. */
export const sandboxNotices = pgTable(
  'sandbox_notices',
  {
    id: serial().primaryKey(),
    paymentId: integer()
      .notNull()
      .references(() => sandboxPayments.id),
    /** What it says of the payment: the merchant must not believe it. */
    says: sandboxState().notNull(),
    dueAt: moment().notNull(),
    tries: integer().notNull().default(0),
    /** When the merchant received it, or the bank gave up. */
    doneAt: moment(),
  },
  (table) => [index().on(table.dueAt).where(sql`${table.doneAt} is null`)],
)

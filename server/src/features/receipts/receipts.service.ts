import { vatWithin } from '@ondine/contract/money'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../database/connection.ts'
import type { Account } from '../accounts/accounts.service.ts'
import type { Payment } from '../payments/payments.service.ts'
import { type ReceiptLine, receiptCounters, receipts } from './receipts.table.ts'

export type Receipt = typeof receipts.$inferSelect

/** What a receipt is made of. */
export interface NewReceipt {
  payment: Payment
  account: Account
  vatBasisPoints: number
  lines: ReceiptLine[]
  /** Name, address and VAT number, a line each. */
  seller: readonly string[]
  /** Milliseconds since the Unix epoch. */
  at: number
}

/**
 * Writes the receipt of a payment, in the transaction in which something is sold for it. It takes its number last: the counter stays
 * locked until the transaction ends, and a number is never left out.
 */
export async function issueReceipt(
  tx: Transaction,
  { payment, account, vatBasisPoints, lines, seller, at }: NewReceipt,
): Promise<void> {
  await write(tx, {
    kind: 'receipt',
    accountId: payment.accountId,
    paymentId: payment.id,
    issuedAt: at,
    cents: payment.cents,
    vatBasisPoints,
    vatCents: vatWithin(payment.cents, vatBasisPoints),
    language: payment.language,
    seller: [...seller],
    buyer: buyerLines(account),
    lines,
  })
}

/** Writes the credit note of a payment that went back; nothing when there is no receipt of it. */
export async function issueCreditNote(tx: Transaction, paymentId: number, at: number): Promise<void> {
  const receipt = await receiptOf(tx, paymentId)
  if (!receipt) return
  const { id: _id, createdAt: _createdAt, mailedAt: _mailedAt, ...same } = receipt
  await write(tx, { ...same, kind: 'creditNote', issuedAt: at })
}

async function write(
  tx: Transaction,
  receipt: Omit<typeof receipts.$inferInsert, 'year' | 'number'>,
): Promise<void> {
  const year = new Date(receipt.issuedAt).getUTCFullYear()
  const counter = tx.$with('counter').as(
    tx
      .insert(receiptCounters)
      .values({ kind: receipt.kind, year, last: 1 })
      .onConflictDoUpdate({
        target: [receiptCounters.kind, receiptCounters.year],
        set: { last: sql`${receiptCounters.last} + 1` },
      })
      .returning({ last: receiptCounters.last }),
  )
  await tx
    .with(counter)
    .insert(receipts)
    .values({ ...receipt, year, number: sql`(select ${counter.last} from ${counter})` })
}

function buyerLines(account: Account): string[] {
  const { firstName, lastName, addressNumber, addressStreet, addressSecondStreet, addressThirdStreet } =
    account
  const { addressZip, addressCity, addressState, addressCountry, email } = account
  const parts = [
    [firstName, lastName],
    [addressNumber, addressStreet],
    [addressSecondStreet],
    [addressThirdStreet],
    [addressZip, addressCity],
    [addressState, addressCountry],
    [email],
  ]
  // A part of an address that was left out is stored as a dash.
  return parts
    .map((words) => words.filter((word) => word !== '' && word !== '-').join(' '))
    .filter((line) => line !== '')
}

/** The receipt of a payment. */
export async function receiptOf(db: Database | Transaction, paymentId: number): Promise<Receipt | undefined> {
  const [receipt] = await db
    .select()
    .from(receipts)
    .where(and(eq(receipts.paymentId, paymentId), eq(receipts.kind, 'receipt')))
  return receipt
}

/** The receipts and credit notes of an account, the newest first. */
export async function receiptsOf(db: Database, accountId: number): Promise<Receipt[]> {
  return await db.select().from(receipts).where(eq(receipts.accountId, accountId)).orderBy(desc(receipts.id))
}

/** A receipt or credit note by its id. */
export async function findReceipt(db: Database, id: number): Promise<Receipt | undefined> {
  const [receipt] = await db.select().from(receipts).where(eq(receipts.id, id))
  return receipt
}

/** The receipts that were not handed over to be sent yet, the oldest first. */
export async function unsentReceipts(db: Database, most: number): Promise<Receipt[]> {
  return await db
    .select()
    .from(receipts)
    .where(sql`${receipts.mailedAt} is null`)
    .orderBy(asc(receipts.id))
    .limit(most)
}

/** Its number as it is printed: `R2026-000123`, of a credit note `C2026-000123`. */
export function printedNumber({ kind, year, number }: Pick<Receipt, 'kind' | 'year' | 'number'>): string {
  return `${kind === 'receipt' ? 'R' : 'C'}${year}-${String(number).padStart(6, '0')}`
}

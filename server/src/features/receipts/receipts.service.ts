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
}

/**
 * Writes the receipts of payments, in the transaction in which something is sold for them. They take their numbers last: the counter stays
 * locked until the transaction ends, and a number is never left out.
 *
 * @param sale who sells (name, address and VAT number, a line each), and when, in milliseconds since the Unix epoch
 */
export async function issueReceipts(
  tx: Transaction,
  sold: readonly NewReceipt[],
  { seller, at }: { seller: readonly string[]; at: number },
): Promise<void> {
  if (sold.length === 0) return
  const written = sold.map(({ payment, account, vatBasisPoints, lines }) => ({
    accountId: payment.accountId,
    paymentId: payment.id,
    cents: payment.cents,
    vatBasisPoints,
    vatCents: vatWithin(payment.cents, vatBasisPoints),
    language: payment.language,
    seller: [...seller],
    buyer: buyerLines(account),
    lines,
  }))
  await write(tx, written, { kind: 'receipt', issuedAt: at })
}

/** Writes the credit note of a payment that went back; nothing when there is no receipt of it. */
export async function issueCreditNote(tx: Transaction, paymentId: number, at: number): Promise<void> {
  const receipt = await receiptOf(tx, paymentId)
  if (!receipt) return
  const { id: _id, createdAt: _createdAt, mailedAt: _mailedAt, ...same } = receipt
  await write(tx, [same], { kind: 'creditNote', issuedAt: at })
}

/** Writes receipts of one series, with the next numbers of their year. */
async function write(
  tx: Transaction,
  written: readonly Omit<typeof receipts.$inferInsert, 'kind' | 'issuedAt' | 'year' | 'number'>[],
  { kind, issuedAt }: Pick<Receipt, 'kind' | 'issuedAt'>,
): Promise<void> {
  const year = new Date(issuedAt).getUTCFullYear()
  const { last } = receiptCounters
  const counter = tx.$with('counter').as(
    tx
      .insert(receiptCounters)
      .values({ kind, year, last: written.length })
      .onConflictDoUpdate({
        target: [receiptCounters.kind, receiptCounters.year],
        set: { last: sql`${last} + excluded.last` },
      })
      .returning({ last }),
  )
  await tx
    .with(counter)
    .insert(receipts)
    .values(
      written.map((receipt, index) => ({
        ...receipt,
        kind,
        issuedAt,
        year,
        number: sql`(select ${counter.last} from ${counter}) - ${written.length - 1 - index}::integer`,
      })),
    )
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
  return await db
    .select()
    .from(receipts)
    .where(eq(receipts.accountId, accountId))
    .orderBy(desc(receipts.issuedAt), desc(receipts.id))
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

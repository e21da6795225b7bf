import { vatWithin } from '@ondine/contract/money'
import { and, asc, desc, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import { type Account, holdAccount } from '../../people/accounts/accounts.service.ts'
import { accounts } from '../../people/accounts/accounts.table.ts'
import type { Payment } from '../payments/payments.service.ts'
import { type ReceiptLine, receiptCounters, receipts } from './receipts.table.ts'

export type Receipt = typeof receipts.$inferSelect

/** Content of a new receipt. */
export interface NewReceipt {
  payment: Payment
  account: Account
  vatBasisPoints: number
  lines: ReceiptLine[]
}

/**
 * Writes the receipts of payments in the transaction of the sale. Call it last in the transaction: it locks the
 * counter of receipt numbers until the transaction ends. No receipt number is ever skipped.
 *
 * @param sale the seller (name, address and VAT number, one line each), and the time of the sale in milliseconds
 * since the Unix epoch
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

/** Writes the credit note of a refunded payment. Writes nothing when the payment has no receipt. */
export async function issueCreditNote(
  tx: Transaction,
  { id, accountId }: Pick<Payment, 'id' | 'accountId'>,
  at: number,
): Promise<void> {
  // Lock the account. Otherwise a concurrent deletion of the account could remove the buyer from the receipt after it is
  // read, and miss the credit note.
  await holdAccount(tx, accountId)
  const receipt = await receiptOf(tx, id)
  if (!receipt) return
  const { id: _id, createdAt: _createdAt, mailedAt: _mailedAt, ...same } = receipt
  await write(tx, [same], { kind: 'creditNote', issuedAt: at })
}

/**
 * Writes receipts, or credit notes, with the next numbers of the year. Receipts and credit notes are numbered
 * separately.
 */
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
  // The database stores a dash for an omitted part of an address.
  return parts
    .map((words) => words.filter((word) => word !== '' && word !== '-').join(' '))
    .filter((line) => line !== '')
}

/** Returns the receipt of a payment. */
export async function receiptOf(db: Database | Transaction, paymentId: number): Promise<Receipt | undefined> {
  const [receipt] = await db
    .select()
    .from(receipts)
    .where(and(eq(receipts.paymentId, paymentId), eq(receipts.kind, 'receipt')))
  return receipt
}

/** Returns the receipts and credit notes of an account, the newest first. */
export async function receiptsOf(db: Database, accountId: number): Promise<Receipt[]> {
  return await db
    .select()
    .from(receipts)
    .where(eq(receipts.accountId, accountId))
    .orderBy(desc(receipts.issuedAt), desc(receipts.id))
}

/** Returns a receipt or credit note by its id. */
export async function findReceipt(db: Database, id: number): Promise<Receipt | undefined> {
  const [receipt] = await db.select().from(receipts).where(eq(receipts.id, id))
  return receipt
}

/** A receipt whose e-mail is not queued yet, with the storefront of its account. */
type UnsentReceipt = Pick<Receipt, 'id' | 'kind' | 'accountId' | 'language'> & { storefrontId: number }

/** Returns receipts whose e-mails are not queued yet, the oldest first. */
export async function unsentReceipts(db: Database, most: number): Promise<UnsentReceipt[]> {
  const { id, kind, accountId, language } = receipts
  return await db
    .select({ id, kind, accountId, language, storefrontId: accounts.storefrontId })
    .from(receipts)
    .innerJoin(accounts, eq(accountId, accounts.id))
    .where(sql`${receipts.mailedAt} is null`)
    .orderBy(asc(receipts.id))
    .limit(most)
}

/** Returns the printed number of a receipt, such as `R2026-000123`, or of a credit note, such as `C2026-000123`. */
export function printedNumber({ kind, year, number }: Pick<Receipt, 'kind' | 'year' | 'number'>): string {
  return `${kind === 'receipt' ? 'R' : 'C'}${year}-${String(number).padStart(6, '0')}`
}

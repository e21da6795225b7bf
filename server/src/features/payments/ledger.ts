import { vatWithin } from '@ondine/contract/money'
import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../database/connection.ts'
import { type ledgerAccount, ledgerEntries, type ledgerKind, ledgerMovements } from './ledger.table.ts'

type Entries = Partial<Record<(typeof ledgerAccount.enumValues)[number], number>>

/** A movement of money. Cents; what an account of the ledger receives is positive. */
interface Movement {
  kind: (typeof ledgerKind.enumValues)[number]
  paymentId: number
  /** Milliseconds since the Unix epoch. */
  at: number
  entries: Entries
}

/** Writes a movement. The database refuses one that does not balance, and a second one of its kind for a payment. */
async function write(tx: Transaction, { kind, paymentId, at, entries }: Movement): Promise<void> {
  const movement = tx
    .$with('movement')
    .as(tx.insert(ledgerMovements).values({ kind, paymentId, at }).returning({ id: ledgerMovements.id }))
  const values = Object.entries(entries)
    .filter(([, cents]) => cents !== 0)
    .map(([account, cents]) => ({
      movementId: sql`(select ${movement.id} from ${movement})`,
      account: account as keyof Entries,
      cents,
    }))
  await tx.with(movement).insert(ledgerEntries).values(values)
}

/** What a movement is about. */
interface Moved {
  paymentId: number
  cents: number
  /** Milliseconds since the Unix epoch. */
  at: number
}

/** A provider has received a payment. Until something is sold for it, it is the customer's. */
export async function bookPayment(tx: Transaction, { cents, ...moved }: Moved): Promise<void> {
  await write(tx, { kind: 'payment', ...moved, entries: { provider: cents, customers: -cents } })
}

/** Something was sold for a payment, with the VAT that its amount contains. */
export async function bookSale(
  tx: Transaction,
  { cents, vatBasisPoints, ...moved }: Moved & { vatBasisPoints: number },
): Promise<void> {
  const vat = vatWithin(cents, vatBasisPoints)
  await write(tx, { kind: 'sale', ...moved, entries: { customers: cents, sales: vat - cents, vat: -vat } })
}

/** A payment went back. If something was sold for it, the sale and its VAT are taken back too. */
export async function bookRefund(tx: Transaction, { paymentId, cents, at }: Moved): Promise<void> {
  const sold = await tx
    .select({ account: ledgerEntries.account, cents: ledgerEntries.cents })
    .from(ledgerMovements)
    .innerJoin(ledgerEntries, eq(ledgerEntries.movementId, ledgerMovements.id))
    .where(and(eq(ledgerMovements.paymentId, paymentId), eq(ledgerMovements.kind, 'sale')))
  const taken: Entries = {}
  for (const entry of sold) if (entry.account !== 'customers') taken[entry.account] = -entry.cents
  const back: Entries = sold.length === 0 ? { customers: cents } : taken
  await write(tx, { kind: 'refund', paymentId, at, entries: { ...back, provider: -cents } })
}

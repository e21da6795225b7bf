import { vatWithin } from '@ondine/contract/money'
import { and, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../../database/connection.ts'
import { type ledgerAccount, ledgerEntries, type ledgerKind, ledgerMovements } from './ledger.table.ts'

type Entries = Partial<Record<(typeof ledgerAccount.enumValues)[number], number>>

/** A movement of money. Amounts are in cents, positive when the ledger account receives money. */
interface Movement {
  kind: (typeof ledgerKind.enumValues)[number]
  paymentId: number
  /** Milliseconds since the Unix epoch. */
  at: number
  entries: Entries
}

/**
 * Writes movements with their entries, in one statement. The database refuses a movement that does not balance, and a
 * second movement of the same kind for a payment.
 */
async function write(tx: Transaction, movements: readonly Movement[]): Promise<void> {
  if (movements.length === 0) return
  const { id, paymentId, kind } = ledgerMovements
  const moved = tx.$with('moved').as(
    tx
      .insert(ledgerMovements)
      .values(movements.map(({ entries: _entries, ...movement }) => movement))
      .returning({ id, paymentId, kind }),
  )
  const entries = movements.flatMap((movement) =>
    Object.entries(movement.entries)
      .filter(([, cents]) => cents !== 0)
      .map(
        ([account, cents]) =>
          sql`(${movement.paymentId}::integer, ${movement.kind}::ledger_kind, ${account}::ledger_account, ${cents}::integer)`,
      ),
  )
  await tx
    .with(moved)
    .insert(ledgerEntries)
    .select(sql`
    select ${moved.id}, account, cents from ${moved}
    join (values ${sql.join(entries, sql`, `)}) as entry (payment_id, kind, account, cents) using (payment_id, kind)`)
}

/** Payment, amount and time of a movement. */
interface Moved {
  paymentId: number
  cents: number
  /** Milliseconds since the Unix epoch. */
  at: number
}

/**
 * Books payments that providers received, and sales that payments paid for, with the VAT in each amount. Until
 * something is sold for a payment, its money is booked as the customer's.
 */
export async function book(
  tx: Transaction,
  { received, sold }: { received: readonly Moved[]; sold: readonly (Moved & { vatBasisPoints: number })[] },
): Promise<void> {
  const payments = received.map(({ cents, ...moved }) => ({
    kind: 'payment' as const,
    ...moved,
    entries: { provider: cents, customers: -cents },
  }))
  const sales = sold.map(({ cents, vatBasisPoints, ...moved }) => {
    const vat = vatWithin(cents, vatBasisPoints)
    return { kind: 'sale' as const, ...moved, entries: { customers: cents, sales: vat - cents, vat: -vat } }
  })
  await write(tx, [...payments, ...sales])
}

/** Books the refund of a payment. If the payment paid for a sale, the sale and its VAT are reversed too. */
export async function bookRefund(tx: Transaction, { paymentId, cents, at }: Moved): Promise<void> {
  const sold = await tx
    .select({ account: ledgerEntries.account, cents: ledgerEntries.cents })
    .from(ledgerMovements)
    .innerJoin(ledgerEntries, eq(ledgerEntries.movementId, ledgerMovements.id))
    .where(and(eq(ledgerMovements.paymentId, paymentId), eq(ledgerMovements.kind, 'sale')))
  const taken: Entries = {}
  for (const entry of sold) if (entry.account !== 'customers') taken[entry.account] = -entry.cents
  const back: Entries = sold.length === 0 ? { customers: cents } : taken
  await write(tx, [{ kind: 'refund', paymentId, at, entries: { ...back, provider: -cents } }])
}

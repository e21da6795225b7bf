import { amountText } from '@ondine/contract/money'
import { and, asc, eq, gte, lt } from 'drizzle-orm'
import type { Database } from '../../../database/connection.ts'
import { ledgerEntries, ledgerMovements } from '../payments/ledger.table.ts'
import { payments } from '../payments/payments.table.ts'
import { printedNumber } from '../receipts/receipts.service.ts'
import { receipts } from '../receipts/receipts.table.ts'

const HEAD = 'time,movement,kind,account,amount,payment,provider,receipt'

/**
 * Returns the entries of the ledger of a month as CSV, the oldest first. Amounts are in euros, positive when the
 * ledger account receives money.
 *
 * @param month a month in UTC, such as `2026-01`
 */
export async function exportLedger(db: Database, month: string): Promise<string> {
  const start = new Date(`${month}-01T00:00:00Z`)
  const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1)
  const rows = await db
    .select({
      movement: ledgerMovements,
      account: ledgerEntries.account,
      cents: ledgerEntries.cents,
      provider: payments.provider,
    })
    .from(ledgerMovements)
    .innerJoin(ledgerEntries, eq(ledgerEntries.movementId, ledgerMovements.id))
    .innerJoin(payments, eq(ledgerMovements.paymentId, payments.id))
    .where(and(gte(ledgerMovements.at, start.getTime()), lt(ledgerMovements.at, end)))
    .orderBy(asc(ledgerMovements.at), asc(ledgerMovements.id), asc(ledgerEntries.account))
  const numbers = await numbersOf(db, start.getTime(), end)
  const lines = rows.map(({ movement: { id, kind, at, paymentId }, account, cents, provider }) =>
    [
      new Date(at).toISOString(),
      id,
      kind,
      account,
      amountText(cents),
      paymentId,
      provider,
      numbers.get(`${kind} ${paymentId}`) ?? '',
    ].join(','),
  )
  return [HEAD, ...lines].map((line) => `${line}\n`).join('')
}

/**
 * Returns the printed numbers of the receipts and credit notes issued from `start` until `end`. The keys are the kind
 * and the payment id of the ledger movement, such as `sale 7`.
 */
async function numbersOf(db: Database, start: number, end: number): Promise<ReadonlyMap<string, string>> {
  const issued = await db
    .select()
    .from(receipts)
    .where(and(gte(receipts.issuedAt, start), lt(receipts.issuedAt, end)))
  return new Map(
    issued.map((receipt) => [
      `${receipt.kind === 'receipt' ? 'sale' : 'refund'} ${receipt.paymentId}`,
      printedNumber(receipt),
    ]),
  )
}

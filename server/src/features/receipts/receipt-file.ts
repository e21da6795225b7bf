import type { Database } from '../../database/connection.ts'
import { printedNumber, type Receipt, receiptOf } from './receipts.service.ts'

/** A receipt or credit note as a file. */
export async function receiptFile(
  db: Database,
  receipt: Receipt,
): Promise<{ filename: string; content: Buffer }> {
  // The library takes memory that a service that sells nothing does not need.
  const { printReceipt } = await import('./print-receipt.ts')
  const cancelled = receipt.kind === 'creditNote' ? await receiptOf(db, receipt.paymentId) : undefined
  return { filename: `${printedNumber(receipt)}.pdf`, content: await printReceipt(receipt, cancelled) }
}

import type { Database } from '../../../database/connection.ts'
import { printedNumber, type Receipt, receiptOf } from './receipts.service.ts'

/** Returns a receipt or credit note as a PDF file. */
export async function receiptFile(
  db: Database,
  receipt: Receipt,
): Promise<{ filename: string; content: Buffer }> {
  // Load the PDF library only when it is first used. It takes memory, and a service that sells nothing never needs it.
  const { printReceipt } = await import('./print-receipt.ts')
  const cancelled = receipt.kind === 'creditNote' ? await receiptOf(db, receipt.paymentId) : undefined
  return { filename: `${printedNumber(receipt)}.pdf`, content: await printReceipt(receipt, cancelled) }
}

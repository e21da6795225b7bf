import type { Database } from '../../../database/connection.ts'
import { printedNumber, type Receipt, receiptOf } from './receipts.service.ts'

/** Returns a receipt or credit note as a PDF file. */
export async function receiptFile(
  db: Database,
  receipt: Receipt,
): Promise<{ filename: string; content: Buffer }> {
  // Load the PDF library at the first use, to save memory: a service that sells nothing never needs the library.
  const { printReceipt } = await import('./print-receipt.ts')
  const cancelled = receipt.kind === 'creditNote' ? await receiptOf(db, receipt.paymentId) : undefined
  return { filename: `${printedNumber(receipt)}.pdf`, content: await printReceipt(receipt, cancelled) }
}

import { readReceipt } from '@ondine/contract/receipts'
import { call } from '../../../api/call.ts'
import { withParentalCode } from '../../people/parental/ask-code.ts'

/** Saves a receipt or credit note as a PDF file. Works only in the browser. */
export async function downloadReceipt({
  idReceipt,
  number,
}: {
  idReceipt: number
  /** The printed number, which is part of the file name. */
  number: string
}): Promise<void> {
  const bytes = await withParentalCode(
    async (parentalProof) => await call(readReceipt, { idReceipt, parentalProof }),
  )
  if (bytes === null) return
  const address = URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }))
  const link = document.createElement('a')
  link.href = address
  link.download = `${number}.pdf`
  link.click()
  URL.revokeObjectURL(address)
}

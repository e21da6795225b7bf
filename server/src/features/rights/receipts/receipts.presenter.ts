import type { Language } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import { printedNumber, type Receipt } from './receipts.service.ts'

/** Returns a receipt for the API, with the names of offers and titles in the reader's language. */
export function presentReceipt(receipt: Receipt, language: Language) {
  const { id, kind, issuedAt, cents, vatCents, vatBasisPoints, lines } = receipt
  return {
    idReceipt: id,
    number: printedNumber(receipt),
    kind,
    issuedAt: Math.floor(issuedAt / 1000),
    amount: amountText(cents),
    vat: amountText(vatCents),
    vatRate: amountText(vatBasisPoints),
    lines: lines.map((line) => ({
      title: line.titles?.[language] ?? line.title,
      amount: amountText(line.cents),
      discount: amountText(line.discountCents),
      credit: amountText(line.creditCents ?? 0),
      usualAmount: line.usualCents === undefined ? null : amountText(line.usualCents),
      from: Math.floor(line.from / 1000),
      to: line.to === null ? null : Math.floor(line.to / 1000),
    })),
  }
}

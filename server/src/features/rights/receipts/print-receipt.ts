import { buffer } from 'node:stream/consumers'
import { bundledLanguage, DEFAULT_LANGUAGE, isLanguage, languageTag } from '@ondine/contract/languages'
import { amountText } from '@ondine/contract/money'
import Pdf from 'pdfkit'
import { dateWriter } from '../../../time/written-dates.ts'
import { RECEIPT_WORDS } from './receipt-words.ts'
import { printedNumber, type Receipt } from './receipts.service.ts'

// Positions in points. An A4 page is 595 points wide.
const LEFT = 56
const RIGHT = 539
const SECOND_COLUMN = 320
const AMOUNT_COLUMN = 430

/**
 * Prints a receipt as PDF. Printing the same receipt again gives the same page, because everything on the page is
 * stored with the receipt.
 *
 * @param cancelled the receipt that a credit note cancels
 */
export async function printReceipt(receipt: Receipt, cancelled?: Receipt): Promise<Buffer> {
  const code = bundledLanguage(isLanguage(receipt.language) ? receipt.language : DEFAULT_LANGUAGE)
  const words = RECEIPT_WORDS[code]
  const tag = languageTag(code)
  const money = new Intl.NumberFormat(tag, { style: 'currency', currency: 'EUR' })
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 })
  // `format` formats decimal text without rounding. The cast is safe, because `amountText` always returns a
  // decimal number.
  const euros = (cents: number) => money.format(amountText(cents) as Intl.StringNumericLiteral)
  const day = dateWriter(code, { dateStyle: 'long', timeZone: 'UTC' })
  const title = receipt.kind === 'receipt' ? words.receipt : words.creditNote
  const number = printedNumber(receipt)

  const page = new Pdf({
    size: 'A4',
    margin: LEFT,
    lang: tag,
    info: { Title: `${title} ${number}`, CreationDate: new Date(receipt.issuedAt) },
  })
  const text = (written: string, x: number, y: number, options: PDFKit.Mixins.TextOptions = {}) =>
    page.text(printable(written), x, y, { width: RIGHT - x, ...options })
  const bold = () => page.font('Helvetica-Bold')
  const plain = () => page.font('Helvetica')
  /** Prints lines one below the other, under a heading. @returns the y position below the last line */
  const block = (heading: string, lines: readonly string[], x: number, y: number): number => {
    bold()
    text(heading, x, y, { width: SECOND_COLUMN - LEFT - 16 })
    plain()
    for (const line of lines) text(line, x, page.y + 2, { width: SECOND_COLUMN - LEFT - 16 })
    return page.y
  }

  bold().fontSize(20)
  text(title, LEFT, LEFT)
  plain().fontSize(10)
  text(`${words.number}${words.colon} ${number}`, LEFT, page.y + 6)
  text(`${words.date}${words.colon} ${day(receipt.issuedAt)}`, LEFT, page.y + 2)
  if (cancelled) text(`${words.cancels} ${printedNumber(cancelled)}`, LEFT, page.y + 2)
  const top = page.y + 24
  const end = Math.max(
    block(words.seller, receipt.seller, LEFT, top),
    block(words.buyer, receipt.buyer, SECOND_COLUMN, top),
  )

  let y = end + 28
  const row = (first: string, second: string, third: string) => {
    text(first, LEFT, y, { width: SECOND_COLUMN - LEFT - 12 })
    let below = page.y
    if (second !== '') {
      text(second, SECOND_COLUMN, y, { width: AMOUNT_COLUMN - SECOND_COLUMN - 8 })
      below = Math.max(below, page.y)
    }
    text(third, AMOUNT_COLUMN, y, { align: 'right' })
    y = Math.max(below, page.y) + 8
  }
  const rule = () => {
    page.moveTo(LEFT, y).lineTo(RIGHT, y).lineWidth(0.5).stroke()
    y += 8
  }
  bold()
  row(words.service, words.period, words.amount)
  plain()
  rule()
  for (const line of receipt.lines) {
    if (y > 700) {
      page.addPage()
      y = LEFT
    }
    const off = line.discountCents === 0 ? '' : ` (${words.discount} ${euros(line.discountCents)})`
    const credit = line.creditCents ? ` (${words.credit} ${euros(line.creditCents)})` : ''
    const special = line.usualCents ? ` (${words.special} ${euros(line.usualCents)})` : ''
    const period = line.to === null ? day(line.from) : `${day(line.from)} – ${day(line.to)}`
    row(`${line.title}${special}${off}${credit}`, period, euros(line.cents))
  }
  rule()
  row(words.net, '', euros(receipt.cents - receipt.vatCents))
  row(`${words.vat} ${percent.format(receipt.vatBasisPoints / 10_000)}`, '', euros(receipt.vatCents))
  bold()
  row(words.total, '', euros(receipt.cents))
  plain()
  text(receipt.kind === 'receipt' ? words.paid : words.refunded, LEFT, y + 12)
  page.end()
  return await buffer(page)
}

/**
 * Characters that the standard PDF fonts lack. Every PDF reader has these fonts, which cover only Windows-1252.
 */
const UNKNOWN = /[^\u0020-\u007e\u00a0-\u00ff€–—‘’“”…•œŒšŠžŽŸ]/gu

/** Replaces each character that the font lacks by its letter without diacritics, or by a question mark. */
function printable(text: string): string {
  return text
    .normalize('NFC')
    .replaceAll(/[\u202f\u2009]/g, '\u00a0')
    .replaceAll(UNKNOWN, (letter) =>
      letter.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(UNKNOWN, '?'),
    )
}

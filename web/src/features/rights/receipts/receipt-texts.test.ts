import { describe, expect, it } from 'vitest'
import { bundledWords } from '../../../words/bundled-words.ts'
import { type Receipt, receiptTexts } from './receipt-texts.ts'

const AT = Date.UTC(2026, 0, 15, 12) / 1000
const line = (title: string) => ({
  title,
  amount: '8.99',
  discount: '0.00',
  credit: '0.00',
  usualAmount: null,
  from: AT,
  to: null,
})
const receipt = (rest: Partial<Receipt> = {}): Receipt => ({
  idReceipt: 1,
  number: 'R2026-000123',
  kind: 'receipt',
  issuedAt: AT,
  amount: '10.99',
  vat: '1.83',
  vatRate: '20.00',
  lines: [line('Cinéma'), line('Option Chaînes')],
  ...rest,
})
const texts = (given: Receipt, language: 'fra' | 'eng') => {
  const { title, notes } = receiptTexts(
    given,
    { language, timeZone: 'Europe/Paris', dateFormat: 'D MMMM YYYY' },
    bundledWords(language).t,
  )
  return [title, ...notes].map((text) => text.replaceAll(/\s/gu, ' '))
}

describe('the text of a receipt', () => {
  it('contains its number, its day, its amount with the included VAT, and its lines', () => {
    expect(texts(receipt(), 'fra')).toEqual([
      'Reçu R2026-000123',
      '15 janvier 2026 · 10,99 € (dont 1,83 € de TVA)',
      'Cinéma, Option Chaînes',
    ])
    expect(texts(receipt(), 'eng')).toEqual([
      'Receipt R2026-000123',
      '15 January 2026 · €10.99 (including €1.83 VAT)',
      'Cinéma, Option Chaînes',
    ])
  })

  it('has the day and the year of the printed document, also after midnight of the viewer', () => {
    const issuedAt = Date.UTC(2026, 11, 31, 23, 30) / 1000
    expect(texts(receipt({ issuedAt }), 'fra')[1]).toMatch(/^31 décembre 2026 ·/)
  })

  it('is a credit note with a minus sign for a refund', () => {
    const [title, amount] = texts(receipt({ kind: 'creditNote', number: 'C2026-000001' }), 'fra')
    expect([title, amount?.replaceAll('−', '-')]).toEqual([
      'Avoir C2026-000001',
      '15 janvier 2026 · -10,99 € (dont -1,83 € de TVA)',
    ])
  })

  it('A3-31 shows the usual price of an offer that was charged with a promotion', () => {
    const lines = [{ ...line('Cinéma'), amount: '4.49', usualAmount: '8.99' }, line('Ultra HD')]
    expect(texts(receipt({ lines }), 'fra')[2]).toBe(
      'Cinéma (offre spéciale, prix habituel : 8,99 €), Ultra HD',
    )
    expect(texts(receipt({ lines }), 'eng')[2]).toBe('Cinéma (special offer, usual price: €8.99), Ultra HD')
    // On a credit note the usual price has no minus sign, because the usual price is not refunded.
    expect(texts(receipt({ kind: 'creditNote', lines }), 'eng')[2]).toContain('usual price: €8.99')
  })

  it('has no notes for missing lines', () => {
    expect(texts(receipt({ lines: [] }), 'eng')).toHaveLength(2)
  })
})

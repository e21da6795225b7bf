import { describe, expect, it } from 'vitest'
import { readVatRates, vatRate, writeVatRates } from './vat-rates.ts'

const day = (written: string) => Date.parse(written)

describe('VAT rates', () => {
  const rates = readVatRates([
    'FR 2014-01-01 20',
    'FI 2013-01-01 24',
    'FI 2024-09-01 25.5',
    'LU 2024-01-01 17',
  ])
  if (!rates) throw new Error('The rates were not read.')

  it.each([
    ['FR', '2026-01-15', 2000],
    ['FI', '2024-08-31T23:59:59.999Z', 2400],
    ['FI', '2024-09-01', 2550],
    ['LU', '2023-12-31', 0],
    ['', '2026-01-15', 2000],
    ['US', '2026-01-15', 2000],
    ['fr', '2013-12-31', 0],
  ])('have for "%s" on %s the rate %i', (country, at, basisPoints) => {
    expect(vatRate(rates, country, day(at))).toBe(basisPoints)
  })

  it('are written in the form in which they are read', () => {
    const written = 'FR 2014-01-01 20, FI 2024-09-01 25.5, FI 2013-01-01 24, LU 2024-01-01 17'
    expect(writeVatRates(rates)).toBe(written)
    expect(readVatRates(written.split(', '))).toEqual(rates)
  })

  it.each([
    [[]],
    [['FR']],
    [['FR 20']],
    [['France 2014-01-01 20']],
    [['FR 2014-02-30 20']],
    [['FR 2014-13-01 20']],
    [['FR 2014-01-01 -20']],
    [['FR 2014-01-01 20.555']],
    [['FR 2014-01-01 200']],
    [['FR 2014-01-01 20%']],
    [['FR 2014-01-01 20', 'x']],
  ])('cannot be read from %j', (written) => {
    expect(readVatRates(written)).toBeUndefined()
  })
})

/** A rate, and the day from which it applies. */
interface DatedRate {
  /** Milliseconds since the Unix epoch. */
  from: number
  /** Hundredths of a percent. */
  basisPoints: number
}

/** VAT rates by country, the newest first. The rates of the first country apply to all countries without rates. */
export type VatRates = ReadonlyMap<string, readonly DatedRate[]>

const WRITTEN = /^([A-Z]{2}) (\d{4}-\d{2}-\d{2}) (\d{1,2})(?:\.(\d{1,2}))?$/

/**
 * Parses the VAT rates in an operator's settings, such as `FR 2014-01-01 20` and `FI 2024-09-01 25.5`.
 *
 * @returns undefined when a rate is invalid or the list is empty
 */
export function readVatRates(written: readonly string[]): VatRates | undefined {
  const rates = new Map<string, DatedRate[]>()
  for (const each of written) {
    const [, country = '', day = '', percent = '', part = ''] = WRITTEN.exec(each) ?? []
    const from = Date.parse(day)
    // `Date.parse` accepts days that do not exist: it reads 30 February as a day in March.
    if (country === '' || Number.isNaN(from) || new Date(from).toISOString().slice(0, 10) !== day)
      return undefined
    const basisPoints = Number(percent) * 100 + Number(part.padEnd(2, '0'))
    rates.set(country, [...(rates.get(country) ?? []), { from, basisPoints }])
  }
  for (const list of rates.values()) list.sort((one, other) => other.from - one.from)
  return rates.size === 0 ? undefined : rates
}

/** Writes rates in the form that {@link readVatRates} reads, separated by commas. */
export function writeVatRates(rates: VatRates): string {
  return [...rates]
    .flatMap(([country, list]) =>
      list.map(
        ({ from, basisPoints }) =>
          `${country} ${new Date(from).toISOString().slice(0, 10)} ${basisPoints / 100}`,
      ),
    )
    .join(', ')
}

/**
 * Returns the VAT rate of streaming in a country, in hundredths of a percent; 0 before the country's first rate.
 * For a country without rates, uses the rates of the first country.
 *
 * @param country two letters (ISO 3166-1)
 * @param at milliseconds since the Unix epoch
 */
export function vatRate(rates: VatRates, country: string, at: number): number {
  const [fallback = []] = rates.values()
  return (rates.get(country) ?? fallback).find(({ from }) => from <= at)?.basisPoints ?? 0
}

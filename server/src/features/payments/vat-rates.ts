/** Rates by country and the day from which each holds, the newest first. In hundredths of a percent. */
const RATES: Readonly<Record<string, readonly { from: number; basisPoints: number }[]>> = {
  FR: [{ from: Date.UTC(2014, 0, 1), basisPoints: 2000 }],
}

/**
 * The VAT rate of streaming in a country, in hundredths of a percent. A country without a rate here has that of France.
 *
 * @param country two letters (ISO 3166-1)
 * @param at milliseconds since the Unix epoch
 */
export function vatRate(country: string, at: number): number {
  const rates = RATES[country] ?? RATES.FR ?? []
  return rates.find(({ from }) => from <= at)?.basisPoints ?? 0
}

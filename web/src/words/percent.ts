import { type Language, languageTag } from '@ondine/contract/languages'

const WHOLE = 10_000

/** A percentage as the language writes it: `20 %`, `20%`. In hundredths of a percent. */
export function percentText(basisPoints: number, language: Language): string {
  const format = new Intl.NumberFormat(languageTag(language), { style: 'percent', maximumFractionDigits: 2 })
  return format.format(basisPoints / WHOLE)
}

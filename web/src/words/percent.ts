import { type Language, languageTag } from '@ondine/contract/languages'

const WHOLE = 10_000

/** Formats hundredths of a percent in the style of the language: `20 %`, `20%`. */
export function percentText(basisPoints: number, language: Language): string {
  const format = new Intl.NumberFormat(languageTag(language), { style: 'percent', maximumFractionDigits: 2 })
  return format.format(basisPoints / WHOLE)
}

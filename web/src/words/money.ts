import { MONEY } from '@ondine/contract/constants'
import { type Language, languageTag } from '@ondine/contract/languages'

const FORMATS = new Map<Language, Intl.NumberFormat>()

/**
 * Formats an amount in cents in the style of the language, in the currency of all prices: `12,99 €`, `€12.99` (A9-05).
 */
export function moneyText(cents: number, language: Language): string {
  const format =
    FORMATS.get(language) ??
    new Intl.NumberFormat(languageTag(language), { style: 'currency', currency: MONEY.currency })
  FORMATS.set(language, format)
  return format.format(cents / MONEY.centsPerUnit)
}

/** Formats an amount of the API, such as `12.99`. */
export function amountText(amount: string, language: Language): string {
  return moneyText(centsOf(amount), language)
}

/** Converts an amount of the API to cents. An amount always has two decimals. */
export function centsOf(amount: string): number {
  return Number(amount.replace('.', ''))
}

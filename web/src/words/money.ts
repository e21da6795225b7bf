import { MONEY } from '@ondine/contract/constants'
import { type Language, languageTag } from '@ondine/contract/languages'

const FORMATS = new Map<Language, Intl.NumberFormat>()

/** An amount as the language writes it, in the currency of all prices: `12,99 €`, `€12.99` (A9-05). In whole cents. */
export function moneyText(cents: number, language: Language): string {
  const format =
    FORMATS.get(language) ??
    new Intl.NumberFormat(languageTag(language), { style: 'currency', currency: MONEY.currency })
  FORMATS.set(language, format)
  return format.format(cents / MONEY.centsPerUnit)
}

/** The same of an amount as it travels, `12.99`. */
export function amountText(amount: string, language: Language): string {
  return moneyText(centsOf(amount), language)
}

/** An amount as it travels, in cents: it always has two digits. */
export function centsOf(amount: string): number {
  return Number(amount.replace('.', ''))
}

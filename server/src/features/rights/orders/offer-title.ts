import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import { offerTexts } from '@ondine/contract/offer-texts'
import type { OfferTerms } from '../offers/offer-terms.ts'

/**
 * Returns the title of an offer (A3-20) in the given language. Falls back to the default language, and then to any
 * language.
 */
export function titleOf(
  { terms: { names } }: { terms: Pick<OfferTerms, 'names'> },
  language: Language,
): string {
  const name = names[language] ?? names[DEFAULT_LANGUAGE] ?? Object.values(names)[0] ?? ''
  return offerTexts({ name, synopsis: '' }).title
}

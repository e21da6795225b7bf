import { COUNTRIES, type Country, countryName, isCountry, listCountries } from '@ondine/contract/countries'
import { type Language, languageTag } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import type { On } from '../../../http/operations.ts'

export function registerCountries(on: On, { configurations }: Context): void {
  on(listCountries, (_input, { storefront, language }) =>
    countriesIn(language, configurations.of(storefront.id).accounts.countries),
  )
}

/**
 * Returns all countries for forms: first the countries in `served`, in that order, then the other countries by
 * name (A3-34).
 */
function countriesIn(language: Language, served: readonly string[]): Country[] {
  const first = served.filter(isCountry).map((code) => ({
    code,
    name: countryName(code, language),
    availabilityOrder: true,
  }))
  const byName = new Intl.Collator(languageTag(language))
  const others = COUNTRIES.filter((code) => !served.includes(code))
    .map((code) => ({ code, name: countryName(code, language), availabilityOrder: false }))
    .toSorted((one, other) => byName.compare(one.name, other.name))
  return [...first, ...others]
}

const tags = new Map<string, string | null>()

/**
 * Returns the shortest RFC 5646 tag of a language, as HLS `LANGUAGE` and DASH `@lang` require: `fr` for `fra`. Accepts
 * ISO 639-2 codes (both T and B) and tags. Returns null for `und` and for anything that is not a language.
 */
export function languageTag(language: string): string | null {
  const known = tags.get(language)
  if (known !== undefined) return known
  const tag = canonicalTag(language)
  // A library has few languages. The limit only stops hostile input from growing the table endlessly.
  if (tags.size < 1000) tags.set(language, tag)
  return tag
}

function canonicalTag(language: string): string | null {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language)) return null
  // Intl knows the aliases of the registry (`fre`, `fra` → `fr`), so no table has to be maintained here.
  const [tag] = Intl.getCanonicalLocales(language)
  return tag === undefined || tag === 'und' ? null : tag
}

const languageNames = new Map<string, string>()

/** Returns a language's name in the language itself, such as `français`; the tag if the name is unknown. */
export function languageName(tag: string): string {
  let name = languageNames.get(tag)
  if (name === undefined) {
    name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
    if (languageNames.size < 1000) languageNames.set(tag, name)
  }
  return name
}

const tags = new Map<string, string | null>()

/**
 * The shortest RFC 5646 tag of a language, which HLS `LANGUAGE` and DASH `@lang` want: `fr` for `fra`.
 * Takes ISO 639-2 (both T and B codes) and tags; null for `und` and for what is no language.
 */
export function languageTag(language: string): string | null {
  const known = tags.get(language)
  if (known !== undefined) return known
  const tag = canonicalTag(language)
  // The languages of a library are few; the bound only keeps hostile input from growing the table for ever.
  if (tags.size < 1000) tags.set(language, tag)
  return tag
}

function canonicalTag(language: string): string | null {
  if (!/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/.test(language)) return null
  // Intl knows the registry's aliases (`fre`, `fra` → `fr`), so no table of ours can fall behind it.
  const [tag] = Intl.getCanonicalLocales(language)
  return tag === undefined || tag === 'und' ? null : tag
}

const languageNames = new Map<string, string>()

/** What speakers call the language of `tag`: `français`. The tag itself where that is not known. */
export function languageName(tag: string): string {
  let name = languageNames.get(tag)
  if (name === undefined) {
    name = new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
    if (languageNames.size < 1000) languageNames.set(tag, name)
  }
  return name
}

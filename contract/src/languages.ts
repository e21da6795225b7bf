/**
 * The languages that the service knows: all languages of ISO 639-1, each with its three-letter code (ISO 639-2/T,
 * V9-18). The configuration of a storefront selects some of them. An operator can add texts in any of them.
 */
// biome-ignore format: one code per line would not be easier to read
export const LANGUAGES = [
  'aar', 'abk', 'afr', 'aka', 'amh', 'ara', 'arg', 'asm', 'ava', 'ave', 'aym', 'aze', 'bak', 'bam', 'bel', 'ben', 'bis', 'bod',
  'bos', 'bre', 'bul', 'cat', 'ces', 'cha', 'che', 'chu', 'chv', 'cor', 'cos', 'cre', 'cym', 'dan', 'deu', 'div', 'dzo', 'ell',
  'eng', 'epo', 'est', 'eus', 'ewe', 'fao', 'fas', 'fij', 'fin', 'fra', 'fry', 'ful', 'gla', 'gle', 'glg', 'glv', 'grn', 'guj',
  'hat', 'hau', 'heb', 'her', 'hin', 'hmo', 'hrv', 'hun', 'hye', 'ibo', 'ido', 'iii', 'iku', 'ile', 'ina', 'ind', 'ipk', 'isl',
  'ita', 'jav', 'jpn', 'kal', 'kan', 'kas', 'kat', 'kau', 'kaz', 'khm', 'kik', 'kin', 'kir', 'kom', 'kon', 'kor', 'kua', 'kur',
  'lao', 'lat', 'lav', 'lim', 'lin', 'lit', 'ltz', 'lub', 'lug', 'mah', 'mal', 'mar', 'mkd', 'mlg', 'mlt', 'mon', 'mri', 'msa',
  'mya', 'nau', 'nav', 'nbl', 'nde', 'ndo', 'nep', 'nld', 'nno', 'nob', 'nor', 'nya', 'oci', 'oji', 'ori', 'orm', 'oss', 'pan',
  'pli', 'pol', 'por', 'pus', 'que', 'roh', 'ron', 'run', 'rus', 'sag', 'san', 'sin', 'slk', 'slv', 'sme', 'smo', 'sna', 'snd',
  'som', 'sot', 'spa', 'sqi', 'srd', 'srp', 'ssw', 'sun', 'swa', 'swe', 'tah', 'tam', 'tat', 'tel', 'tgk', 'tgl', 'tha', 'tir',
  'ton', 'tsn', 'tso', 'tuk', 'tur', 'uig', 'ukr', 'urd', 'uzb', 'ven', 'vie', 'vol', 'wln', 'wol', 'xho', 'yid', 'yor',
  'zha', 'zho', 'zul',
] as const

/** The three-letter code of a language, as in calls (V1-14). */
export type Language = (typeof LANGUAGES)[number]

/** Languages whose texts the service includes in full (V1-14). */
export const BUNDLED_LANGUAGES = ['fra', 'eng'] as const satisfies Language[]
export type BundledLanguage = (typeof BUNDLED_LANGUAGES)[number]

/** The language that is used when no language is requested (V1-14, V9). */
export const DEFAULT_LANGUAGE: BundledLanguage = 'fra'

const KNOWN: ReadonlySet<string> = new Set(LANGUAGES)

/** Returns whether the service knows the language `code`. */
export function isLanguage(code: string): code is Language {
  return KNOWN.has(code)
}

/** Returns whether the service includes the texts of a language. */
export function isBundled(language: Language): language is BundledLanguage {
  return BUNDLED_LANGUAGES.some((each) => each === language)
}

/** Returns the language of the built-in texts for a reader of `language`. */
export function bundledLanguage(language: Language): BundledLanguage {
  return isBundled(language) ? language : DEFAULT_LANGUAGE
}

/** Returns the BCP 47 tag of a three-letter code: `fr` for `fra` (V1-14). */
export function languageTag(code: Language): string {
  const known = tags.get(code)
  if (known !== undefined) return known
  const tag = Intl.getCanonicalLocales(code)[0] ?? code
  tags.set(code, tag)
  return tag
}

/** The tags are cached, because rendering a page needs the tag of its language some twenty times. */
const tags = new Map<Language, string>()

/** Right-to-left scripts of the languages above. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['Arab', 'Hebr', 'Thaa'])

/** Returns the writing direction of a language. */
export function textDirection(language: Language): 'ltr' | 'rtl' {
  const known = directions.get(language)
  if (known !== undefined) return known
  const { script = '' } = new Intl.Locale(languageTag(language)).maximize()
  const direction = RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr'
  directions.set(language, direction)
  return direction
}

const directions = new Map<Language, 'ltr' | 'rtl'>()

/** The properties of a language (V9-18). */
export interface Locale {
  code: Language
  /** The language tag (BCP 47). */
  tag: string
  /** The language's name in English. */
  name: string
  /** The language's name in the language itself; the same as `name` if the runtime does not have that name. */
  ownName: string
  direction: 'ltr' | 'rtl'
}

/** Returns the properties of a language, from the runtime's own tables. */
export function localeOf(code: Language): Locale {
  const known = locales.get(code)
  if (known) return known
  const locale = findLocale(code)
  locales.set(code, locale)
  return locale
}

/**
 * The properties of languages are cached. Every page needs names of languages, and `Intl.DisplayNames` objects are
 * expensive to create.
 */
const locales = new Map<Language, Locale>()

function findLocale(code: Language): Locale {
  const tag = languageTag(code)
  const name = nameIn('en', tag)
  const own = new Intl.DisplayNames([tag, 'en'], { type: 'language' })
  const knowsItself = own.resolvedOptions().locale.split('-')[0] === tag
  return { code, tag, name, ownName: knowsItself ? nameIn(tag, tag) : name, direction: textDirection(code) }
}

/** Returns the name of a language in another language, capitalised. */
function nameIn(reader: string, tag: string): string {
  const name = new Intl.DisplayNames([reader], { type: 'language' }).of(tag) ?? tag
  const first = name.match(/^./u)?.[0] ?? ''
  return first.toLocaleUpperCase(reader) + name.slice(first.length)
}

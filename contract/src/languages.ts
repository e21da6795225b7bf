/** Interface languages that ship complete, by the three-letter code that calls use (V1-14). */
export const LANGUAGES = {
  fra: { tag: 'fr', name: 'Français' },
  eng: { tag: 'en', name: 'English' },
} as const

export type Language = keyof typeof LANGUAGES

/** The language when nothing else is asked for (V1-14, V9). */
export const DEFAULT_LANGUAGE: Language = 'fra'

/** Whether `code` is a language that the service speaks. */
export function isLanguage(code: string): code is Language {
  return Object.hasOwn(LANGUAGES, code)
}

/** The BCP 47 tag of a three-letter code: `fra` is `fr` (V1-14). */
export function languageTag(code: Language): string {
  return LANGUAGES[code].tag
}

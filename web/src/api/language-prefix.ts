import { isLanguage, type Language, languageTag } from '@ondine/contract/languages'

/** How addresses contain the language of a page (V2.3-08, spec 8). */
export interface LanguagePrefix {
  /** The prefix of addresses, such as `/en`; empty when they do not contain the language. */
  path: string
  /** Whether the address `/` gets the prefix too. Otherwise, `/` is the home page in the viewer's language. */
  atRoot: boolean
}

/** Addresses without a language: the default (spec 8). */
export const NO_PREFIX: LanguagePrefix = { path: '', atRoot: false }

/** Returns the address prefix of a language, such as `/en`. */
export function prefixOf(language: Language): string {
  return `/${languageTag(language)}`
}

/** Removes the language prefix: returns the path of a screen for a path of the address bar. */
export function withoutPrefix(pathname: string, { path }: LanguagePrefix): string {
  if (path === '') return pathname
  if (pathname === path) return '/'
  return pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : pathname
}

/** Adds the language prefix: returns the path in the address bar for the path of a screen. */
export function withPrefix(pathname: string, { path, atRoot }: LanguagePrefix): string {
  if (path === '' || (pathname === '/' && !atRoot)) return pathname
  return pathname === '/' ? path : path + pathname
}

/** Returns the language in a path, if it is one of `languages`. */
export function languageInPath(pathname: string, languages: readonly string[]): Language | undefined {
  const [, first = ''] = pathname.split('/', 2)
  return languages.filter(isLanguage).find((language) => prefixOf(language) === `/${first}`)
}

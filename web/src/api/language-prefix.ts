import { isLanguage, type Language, languageTag } from '@ondine/contract/languages'

/** How addresses say the language of a page (V2.3-08, decision 8). */
export interface LanguagePrefix {
  /** What they begin with: `/en`, or nothing when they do not say it. */
  path: string
  /** Whether the address `/` says it too; else it is home in the language of the visitor. */
  atRoot: boolean
}

/** Addresses that say nothing of the language: the default (decision 8). */
export const NO_PREFIX: LanguagePrefix = { path: '', atRoot: false }

/** What addresses in a language begin with: `/en`. */
export function prefixOf(language: Language): string {
  return `/${languageTag(language)}`
}

/** The path of a screen from a path as it stands in the address bar. */
export function withoutPrefix(pathname: string, { path }: LanguagePrefix): string {
  if (path === '') return pathname
  if (pathname === path) return '/'
  return pathname.startsWith(`${path}/`) ? pathname.slice(path.length) : pathname
}

/** The path of a screen as it stands in the address bar. */
export function withPrefix(pathname: string, { path, atRoot }: LanguagePrefix): string {
  if (path === '' || (pathname === '/' && !atRoot)) return pathname
  return pathname === '/' ? path : path + pathname
}

/** The language that an address says, if it is one of `languages`. */
export function languageInPath(pathname: string, languages: readonly string[]): Language | undefined {
  const [, first = ''] = pathname.split('/', 2)
  return languages.filter(isLanguage).find((language) => prefixOf(language) === `/${first}`)
}

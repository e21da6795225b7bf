import type { Language } from '@ondine/contract/languages'

/**
 * Returns the stored form of a keyword that is only for readers of one language: `sea@eng`. Keywords for all
 * readers have no suffix.
 */
export function keywordOf(language: string, keyword: string): string {
  return `${keyword}@${language}`
}

/**
 * Returns the keywords of a title in a language; if the title has none, its keywords without a language.
 * `search_keywords` of the search index applies the same rule.
 */
export function keywordsIn(keywords: readonly string[], language: Language): string[] {
  const own = keywords.filter((keyword) => keyword.endsWith(`@${language}`))
  return own.length > 0
    ? own.map((keyword) => keyword.slice(0, -language.length - 1))
    : keywords.filter((keyword) => !OF_A_LANGUAGE.test(keyword))
}

const OF_A_LANGUAGE = /@[a-z]{3}$/

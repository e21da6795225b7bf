import type { Language } from '@ondine/contract/languages'

/** Returns a keyword for readers of one language, in the stored form: `sea@eng`. Other keywords have no suffix. */
export function keywordOf(language: string, keyword: string): string {
  return `${keyword}@${language}`
}

/**
 * Returns the keywords of a title for readers of a language. If there are none, returns the keywords without
 * a language. `search_keywords` of the search index does the same.
 */
export function keywordsIn(keywords: readonly string[], language: Language): string[] {
  const own = keywords.filter((keyword) => keyword.endsWith(`@${language}`))
  return own.length > 0
    ? own.map((keyword) => keyword.slice(0, -language.length - 1))
    : keywords.filter((keyword) => !OF_A_LANGUAGE.test(keyword))
}

const OF_A_LANGUAGE = /@[a-z]{3}$/

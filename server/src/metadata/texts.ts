import { firmSpaces } from '@ondine/contract/firm-spaces'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { LocalisedText } from '../database/columns.ts'

/**
 * Returns the value in the language asked for, else in the default language, else in any; undefined if there is none.
 */
export function inLanguage<T>(byLanguage: Readonly<Record<string, T>>, language: Language): T | undefined {
  return byLanguage[language] ?? byLanguage[DEFAULT_LANGUAGE] ?? Object.values(byLanguage)[0]
}

/** Returns the text as {@link inLanguage} finds it, else an empty text. */
export function textIn(texts: LocalisedText, language: Language): string {
  return inLanguage(texts, language) ?? ''
}

/**
 * Returns a text of a sentence or more as {@link textIn} finds it. In French, no line of it begins with a lone
 * punctuation mark.
 */
export function proseIn(texts: LocalisedText, language: Language): string {
  const text = textIn(texts, language)
  return language === 'fra' ? firmSpaces(text) : text
}

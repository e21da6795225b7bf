import { firmSpaces } from '@ondine/contract/firm-spaces'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { LocalisedText } from '../database/columns.ts'

/**
 * Returns the value in the requested language, else in the default language, else in any language; undefined if
 * all are missing.
 */
export function inLanguage<T>(byLanguage: Readonly<Record<string, T>>, language: Language): T | undefined {
  return byLanguage[language] ?? byLanguage[DEFAULT_LANGUAGE] ?? Object.values(byLanguage)[0]
}

/** Returns the text that {@link inLanguage} finds, else an empty text. */
export function textIn(texts: LocalisedText, language: Language): string {
  return inLanguage(texts, language) ?? ''
}

/**
 * Returns the text that {@link textIn} finds, for texts of a sentence or more. French texts get no-break spaces
 * before punctuation, so that no line begins with a punctuation mark.
 */
export function proseIn(texts: LocalisedText, language: Language): string {
  const text = textIn(texts, language)
  return language === 'fra' ? firmSpaces(text) : text
}

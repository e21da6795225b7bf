import { firmSpaces } from '@ondine/contract/firm-spaces'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { Texts } from '../../database/columns.ts'

/** What is there in the language asked for, else in the default language, else in any; undefined where there is none. */
export function inLanguage<T>(byLanguage: Readonly<Record<string, T>>, language: Language): T | undefined {
  return byLanguage[language] ?? byLanguage[DEFAULT_LANGUAGE] ?? Object.values(byLanguage)[0]
}

/** The text as {@link inLanguage} finds it, else nothing. */
export function textIn(texts: Texts, language: Language): string {
  return inLanguage(texts, language) ?? ''
}

/** A text of a sentence or more, as {@link textIn} finds it: in French no line of it begins with a lone sign. */
export function proseIn(texts: Texts, language: Language): string {
  const text = textIn(texts, language)
  return language === 'fra' ? firmSpaces(text) : text
}

/** Plain text as Markdown shows it: what would mean something there is escaped, and each line is a paragraph. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\`*_{}[\]<>()#+\-.!|~&]/g, String.raw`\$&`)
    .split(/\n+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n\n')
}

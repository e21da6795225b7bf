import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { Texts } from '../../database/columns.ts'

/** The text in the language asked for, else in the default language, else in any, else nothing. */
export function textIn(texts: Texts, language: Language): string {
  return texts[language] ?? texts[DEFAULT_LANGUAGE] ?? Object.values(texts)[0] ?? ''
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

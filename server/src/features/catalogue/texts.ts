import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { Texts } from '../../database/columns.ts'

/** The text in the language asked for, else in the default language, else in any, else nothing. */
export function textIn(texts: Texts, language: Language): string {
  return texts[language] ?? texts[DEFAULT_LANGUAGE] ?? Object.values(texts)[0] ?? ''
}

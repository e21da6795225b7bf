import type { BundledLanguage } from '@ondine/contract/languages'
import type { i18n } from 'i18next'
import * as eng from './eng.ts'
import * as fra from './fra.ts'
import { wordsOf } from './words.ts'

const TEXTS = { fra: { ...fra }, eng: { ...eng } }

/** The texts that are built into the application, in both languages, for tests. No page loads both languages. */
export function bundledWords(language: BundledLanguage): i18n {
  return wordsOf(language, TEXTS[language])
}

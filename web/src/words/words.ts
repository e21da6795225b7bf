import { type Language, languageTag } from '@ondine/contract/languages'
import type { CatalogueTexts } from '@ondine/contract/words'
import { createInstance, type i18n, type Resource } from 'i18next'
import type * as french from './fra.ts'

/** Texts of the interface by group and name. The French texts define the keys. */
export type Words = typeof french

/**
 * All texts by key, and each group as a namespace. A part of the application with additional texts extends this
 * type.
 */
export interface TextGroups extends Words {
  translation: Words
}

declare module 'i18next' {
  interface CustomTypeOptions {
    /** All texts by `group.name`, and each group as a namespace for `useTranslation('player')`. */
    resources: TextGroups
  }
}

/** Called with a text that is missing in every catalogue: the language's tag, and the key. */
export type ReportMissing = (tag: string, key: string) => void

/**
 * One i18next instance for each catalogue of texts. A new instance for each request, or a change of language
 * within an instance, would reduce the number of pages rendered per second by a third.
 */
const INSTANCES = new WeakMap<CatalogueTexts, i18n>()

/** Returns the i18next instance of a catalogue. The same `texts` object gives the same instance. */
export function wordsOf(language: Language, texts: CatalogueTexts, report?: ReportMissing): i18n {
  const known = INSTANCES.get(texts)
  if (known !== undefined) return known
  const made = instance(language, texts, report)
  INSTANCES.set(texts, made)
  return made
}

/** Replaces the texts of a page. Components that show them render again. */
export function replaceTexts(words: i18n, texts: CatalogueTexts): void {
  for (const [namespace, bundle] of Object.entries(namespacesOf(texts)))
    words.addResourceBundle(words.language, namespace, bundle, false, true)
}

function instance(language: Language, texts: CatalogueTexts, report: ReportMissing | undefined): i18n {
  const tag = languageTag(language)
  const reported = new Set<string>()
  const created = createInstance({
    lng: tag,
    resources: { [tag]: namespacesOf(texts) },
    // React already escapes texts.
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { bindI18nStore: 'added', useSuspense: false },
    ...(report && {
      saveMissing: true,
      missingKeyHandler: (_tags: readonly string[], namespace: string, key: string) => {
        const path = namespace === 'translation' ? key : `${namespace}.${key}`
        // Reports a missing key once, because a page requests it at each rendering.
        if (reported.has(path)) return
        reported.add(path)
        report(tag, path)
      },
    }),
  })
  void created.init()
  return created
}

function namespacesOf(texts: CatalogueTexts): Resource[string] {
  return { translation: texts, ...texts }
}

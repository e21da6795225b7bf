import { type Language, languageTag } from '@ondine/contract/languages'
import type { CatalogueTexts } from '@ondine/contract/words'
import { createInstance, type i18n, type Resource } from 'i18next'
import type * as french from './fra.ts'

/** The texts of the interface by group and name. The French ones give the catalogue its shape. */
export type Words = typeof french

/** All texts, and each group by itself. A part of the application that brings its own adds their type here. */
export interface TextGroups extends Words {
  translation: Words
}

declare module 'i18next' {
  interface CustomTypeOptions {
    /** All texts by `group.name`; each group by itself too: `useTranslation('player')`. */
    resources: TextGroups
  }
}

/** Is told of a text that no catalogue has: its language's tag, and its key. */
export type ReportMissing = (tag: string, key: string) => void

/** One fixed instance for each catalogue: a new one per request, or changing one's language, would cost a third of the pages. */
const INSTANCES = new WeakMap<CatalogueTexts, i18n>()

/** The words of a catalogue: the same instance for the same texts. */
export function wordsOf(language: Language, texts: CatalogueTexts, report?: ReportMissing): i18n {
  const known = INSTANCES.get(texts)
  if (known !== undefined) return known
  const made = instance(language, texts, report)
  INSTANCES.set(texts, made)
  return made
}

/** Puts other texts in the place of those that a page shows; what shows them is drawn anew. */
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
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    initAsync: false,
    react: { bindI18nStore: 'added', useSuspense: false },
    ...(report && {
      saveMissing: true,
      missingKeyHandler: (_tags: readonly string[], namespace: string, key: string) => {
        const path = namespace === 'translation' ? key : `${namespace}.${key}`
        // Once: a page asks for a text each time that it is drawn.
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

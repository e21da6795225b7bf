import { type BundledLanguage, bundledLanguage, type Language } from '@ondine/contract/languages'
import { createInstance, type i18n } from 'i18next'
import * as eng from './eng.ts'
import * as fra from './fra.ts'

/** The catalogue, as the French texts shape it. */
type Words = typeof fra

/** The catalogues by namespace; a part that is loaded later adds its own. */
export interface Texts {
  translation: Words
}

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: Texts
  }
}

/** One fixed instance per language: a new one per request, or changing one's language, would cost a third of the pages. */
const INSTANCES: Record<BundledLanguage, i18n> = {
  fra: instance('fr', fra),
  eng: instance('en', eng satisfies Words),
}

/** The texts of a language. */
export function words(language: Language): i18n {
  return INSTANCES[bundledLanguage(language)]
}

function instance(tag: string, translation: Words): i18n {
  const created = createInstance({
    lng: tag,
    resources: { [tag]: { translation: { ...translation } } },
    // React escapes what it shows.
    interpolation: { escapeValue: false },
    initAsync: false,
  })
  void created.init()
  return created
}

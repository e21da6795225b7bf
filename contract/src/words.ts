/** The locale of a catalogue (V3-56). */
export interface CatalogueLocale {
  /** Three letters. */
  code: string
  /** The catalogue's own file below `/translations/{apiKey}/`. */
  file: string
}

/** One text of the interface (V3-56). */
export interface Translation {
  /** What operators and programs name it by: `home.title`. */
  id: string
  name: string
  /** Its name within its group. */
  slug: string
  /** Where editors show it; of no effect elsewhere. */
  displayOrder: number
  value: string
  /** What is filled into it, for who translates it. */
  description: string
}

/** The texts of a part of the interface (V3-56). */
export interface TranslationGroup {
  id: string
  name: string
  slug: string
  displayOrder: number
  translations: Translation[]
}

/** All texts of a storefront in a language, as `GET /translations/{apiKey}/{code}.json` answers them (V3-56, V7-30). */
export interface Catalogue {
  locale: CatalogueLocale
  groups: TranslationGroup[]
}

/** The same texts as pages read them: by group and slug, nothing else. */
export type CatalogueTexts = Record<string, Record<string, string>>

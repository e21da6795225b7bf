/** The locale of a catalogue (V3-56). */
interface CatalogueLocale {
  /** The three-letter code of the language. */
  code: string
  /** The catalogue's file, below `/translations/{apiKey}/`. */
  file: string
}

/** One text of the interface (V3-56). */
interface Translation {
  /** Identifies the text for operators and programs: `home.title`. */
  id: string
  name: string
  /** Name of the text within its group. */
  slug: string
  /** Position in an editor of texts. Has no other effect. */
  displayOrder: number
  value: string
  /** Describes the placeholders, for translators. */
  description: string
}

/** The texts of a part of the interface (V3-56). */
interface TranslationGroup {
  id: string
  name: string
  slug: string
  displayOrder: number
  translations: Translation[]
}

/**
 * All interface texts of a storefront in a language, as returned by `GET /translations/{apiKey}/{code}.json`
 * (V3-56, V7-30).
 */
export interface Catalogue {
  locale: CatalogueLocale
  groups: TranslationGroup[]
}

/** The texts of a catalogue in the form that pages use: the outer key is the group, the inner key the slug. */
export type CatalogueTexts = Record<string, Record<string, string>>

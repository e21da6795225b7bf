import type { BundledLanguage } from '@ondine/contract/languages'
import * as eng from '@ondine/web/words/eng'
import * as fra from '@ondine/web/words/fra'

/** Texts of a language by path: `home.title`. */
export type TextsByPath = Readonly<Record<string, string>>

/** Built-in texts of the service (V1-14). */
export const BUNDLED_TEXTS: Record<BundledLanguage, TextsByPath> = { fra: flat(fra), eng: flat(eng) }

/** Names of plural forms in Unicode (CLDR). */
export const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
export type PluralForm = (typeof PLURAL_FORMS)[number]

/** Structure of an interface text. It is the same in all languages. */
export interface TextShape {
  /** Path of the text without the plural form. */
  path: string
  /** Names of the placeholders in the text. */
  placeholders: ReadonlySet<string>
  /** Whether the text has plural forms. */
  plural: boolean
}

/** All interface texts by path without plural form, in the order of the catalogues. */
export const TEXT_SHAPES: ReadonlyMap<string, TextShape> = new Map(
  Object.entries(BUNDLED_TEXTS.fra).map(([written, text]) => {
    const { path, form } = splitPath(written)
    return [path, { path, placeholders: placeholdersOf(text), plural: form !== undefined }]
  }),
)

/** Splits a path: `kind.series_one` is the form `one` of `kind.series`. */
export function splitPath(path: string): { path: string; form: PluralForm | undefined } {
  const form = PLURAL_FORMS.find((each) => path.endsWith(`_${each}`))
  const base = form === undefined ? path : path.slice(0, -form.length - 1)
  // The name of a text without plural forms may end like a plural form.
  return form !== undefined && `${base}_other` in BUNDLED_TEXTS.fra
    ? { path: base, form }
    : { path, form: undefined }
}

/** Returns the names of a text's placeholders. */
export function placeholdersOf(text: string): Set<string> {
  return new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))
}

function flat(groups: Readonly<Record<string, Readonly<Record<string, string>>>>): TextsByPath {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, texts]) =>
      Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text]),
    ),
  )
}

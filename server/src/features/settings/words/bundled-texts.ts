import { ERRORS, type ErrorName } from '@ondine/contract/errors'
import type { BundledLanguage } from '@ondine/contract/languages'
import * as eng from '@ondine/web/words/eng'
import * as fra from '@ondine/web/words/fra'

/** Texts of a language by path: `home.title`. */
export type TextsByPath = Readonly<Record<string, string>>

/** Texts that pages load. */
const PAGE_TEXTS: Record<BundledLanguage, TextsByPath> = { fra: textsByPath(fra), eng: textsByPath(eng) }

/** Built-in texts of the service: those of pages, and those of all errors (V1-14, V2.4-23). */
export const BUNDLED_TEXTS: Record<BundledLanguage, TextsByPath> = {
  fra: { ...PAGE_TEXTS.fra, ...errorTexts('fra') },
  eng: { ...PAGE_TEXTS.eng, ...errorTexts('eng') },
}

/** The placeholder that the text of an error may have: the code, as viewers read it. */
export const ERROR_CODE = 'code'

/** Names of plural forms in Unicode (CLDR). */
export const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
export type PluralForm = (typeof PLURAL_FORMS)[number]

/** Structure of an interface text. It is the same in all languages. */
export interface TextShape {
  /** Path of the text without the plural form. */
  path: string
  /** Names of the placeholders in the text. */
  placeholders: ReadonlySet<string>
  /** Names of further placeholders that the text may have. */
  optional: ReadonlySet<string>
  /** Whether the text has plural forms. */
  plural: boolean
  /** Whether pages load the text. The other texts are only in answers of the service. */
  onPages: boolean
}

const ERROR_PATHS: ReadonlySet<string> = new Set(Object.keys(errorTexts('fra')))

/** All interface texts by path without plural form, in the order of the catalogues. */
export const TEXT_SHAPES: ReadonlyMap<string, TextShape> = new Map(
  Object.entries(BUNDLED_TEXTS.fra).map(([written, text]) => {
    const { path, form } = splitPath(written)
    const shape: TextShape = {
      path,
      placeholders: placeholdersOf(text),
      optional: new Set(ERROR_PATHS.has(path) ? [ERROR_CODE] : []),
      plural: form !== undefined,
      onPages: written in PAGE_TEXTS.fra,
    }
    return [path, shape]
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

/** Returns the name of an error's text in the group `errors`. */
export function errorTextName(error: ErrorName): string {
  return `error${Math.abs(ERRORS[error].code)}`
}

function errorTexts(language: BundledLanguage): TextsByPath {
  const names = Object.keys(ERRORS) as ErrorName[]
  return Object.fromEntries(
    names.map((name) => [`errors.${errorTextName(name)}`, ERRORS[name].text[language]]),
  )
}

/** Returns the texts of all groups by their paths. */
export function textsByPath(groups: Readonly<Record<string, Readonly<Record<string, string>>>>): TextsByPath {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, texts]) =>
      Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text]),
    ),
  )
}

import { ERRORS } from '@ondine/contract/errors'
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

/** Codes of errors without their sign, by the path of the error's text. */
const ERROR_CODES: ReadonlyMap<string, number> = new Map(
  Object.values(ERRORS).map(({ code }) => [errorPath(code), Math.abs(code)]),
)

/** Names of plural forms in Unicode (CLDR). */
const PLURAL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other'] as const
export type PluralForm = (typeof PLURAL_FORMS)[number]

/** Structure of an interface text. It is the same in all languages. */
export interface TextShape {
  /** Path of the text without the plural form. */
  path: string
  /** Names of the placeholders in the text. */
  placeholders: ReadonlySet<string>
  /** Code of the error whose text this is, without its sign. The text may contain it as `{{code}}`. */
  errorCode: number | undefined
  /** Whether the text has plural forms. */
  plural: boolean
  /** Whether pages load the text. The other texts are only in answers of the service. */
  onPages: boolean
}

/** All interface texts by path without plural form, in the order of the catalogues. */
export const TEXT_SHAPES: ReadonlyMap<string, TextShape> = new Map(
  Object.entries(BUNDLED_TEXTS.fra).map(([written, text]) => {
    const { path, form } = splitPath(written)
    const shape: TextShape = {
      path,
      placeholders: placeholdersOf(text),
      errorCode: ERROR_CODES.get(path),
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

/** Returns the text of an error with its code in place of `{{code}}`; any other text as it is. */
export function withErrorCode(path: string, text: string): string {
  const code = TEXT_SHAPES.get(path)?.errorCode
  return code === undefined ? text : text.replaceAll('{{code}}', String(code))
}

/** Returns the path of an error's text. */
export function errorPath(code: number): string {
  return `errors.error${Math.abs(code)}`
}

function errorTexts(language: BundledLanguage): TextsByPath {
  return Object.fromEntries(Object.values(ERRORS).map(({ code, text }) => [errorPath(code), text[language]]))
}

/** Returns the texts of all groups by their paths. */
export function textsByPath(groups: Readonly<Record<string, Readonly<Record<string, string>>>>): TextsByPath {
  return Object.fromEntries(
    Object.entries(groups).flatMap(([group, texts]) =>
      Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text]),
    ),
  )
}

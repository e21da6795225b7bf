import * as z from 'zod'
import { ADDRESS_MAX } from './constants.ts'
import { isLanguage } from './languages.ts'
import { readAmount } from './money.ts'

/** Makes a section of fields. Each field has a default, so that an empty document is a valid configuration. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)
}

/**
 * A colour: `#rgb`, `#rrggbb` or `#rrggbbaa`. Nothing else is allowed, because the value is inserted into the
 * page's style sheet.
 */
export const color = z
  .string()
  .regex(/^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i, 'must be a colour such as #8fe9d6')

/** The three-letter code of a language (V1-14). */
export const languageCode = z.string().regex(/^[a-z]{3}$/, 'must be a three-letter language code')

/** An interface language: a language in the service's list of languages (V9-18). */
export const interfaceLanguage = z
  .string()
  .refine((code): boolean => isLanguage(code), 'must be the three-letter code of a language')

/** Texts for viewers, by language. With `{}`, the service shows its built-in text. */
export const words = z.record(languageCode, z.string().max(2000))

/**
 * The part of an address after the scheme: host, port and path. The pattern excludes characters that could
 * end a header or an attribute.
 */
const PLACE = /^[\w.-]+(?::\d{1,5})?(?:[/?#][^\s"'<>]*)?$/

function isSite(value: string, schemes: readonly string[]): boolean {
  const [scheme = '', ...rest] = value.split('://')
  return schemes.includes(scheme) && PLACE.test(rest.join('://')) && URL.canParse(value)
}

function isPath(value: string): boolean {
  return value === '' || /^\/(?![/\\])[^\s"'<>]*$/.test(value)
}

/** The address of a picture, font or logo: a path, an https address, or a `data:` image. Empty for none. */
export const resource = z
  .string()
  .max(20_000)
  .refine(
    (value) => isPath(value) || isSite(value, ['https']) || /^data:image\/[\w.+-]+[;,]/.test(value),
    'must be a path, an https address or a data:image',
  )

/** An address for a link: a path, or an address with the scheme http, https or mailto. Empty for none. */
export const address = z
  .string()
  .max(ADDRESS_MAX)
  .refine(
    (value) => isPath(value) || isSite(value, ['http', 'https']) || /^mailto:[^\s"'<>]+$/.test(value),
    'must be a path or an http, https or mailto address',
  )

/** The URL of another service. May contain user information, as a DSN does: `https://key@host`. Empty for none. */
export const site = z
  .string()
  .max(500)
  .refine(
    (value) => value === '' || isSite(value.replace(/^(https?:\/\/)[\w:-]{1,200}@/, '$1'), ['http', 'https']),
    'must be an http or https address',
  )

/**
 * The URL of a program on the viewer's own computer, without a query string. The page's content security policy
 * allows connections to this URL. Empty for none.
 */
export const localProgram = z
  .string()
  .max(200)
  .refine(
    (value) =>
      value === '' ||
      (/^https?:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:\/[\w./~-]*)?$/.test(value) &&
        URL.canParse(value)),
    'must be the address of a program on localhost, such as http://127.0.0.1:17890/download',
  )

/** The name of a font family, as in a style sheet. */
export const fontFamily = z
  .string()
  .max(60)
  .regex(/^[\p{L}\d][\p{L}\d -]*$/u, 'must be the name of a font')

/** A price in euros, VAT included, with two decimals. Empty for none. */
export const price = z
  .string()
  .refine(
    (value) => value === '' || (/^\d+\.\d\d$/.test(value) && (readAmount(value) ?? 0) > 0),
    'must be an amount above zero, such as "4.99"',
  )

/** Returns the schema of an integer within inclusive bounds. */
export function whole(min: number, max: number) {
  return z.int().min(min).max(max)
}

/**
 * Returns a schema for words from the list `values`. Unknown words are also valid: they become `fallback`, and
 * {@link configurationWarnings} reports them (V3-52). Values that are not texts are invalid.
 */
export function tolerant<const Values extends readonly [string, ...string[]]>(
  values: Values,
  fallback: Values[number],
) {
  return z
    .string()
    .max(100)
    .transform((value): Values[number] => (values.includes(value) ? value : fallback))
}

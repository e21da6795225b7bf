import * as z from 'zod'
import { ADDRESS_MAX } from './constants.ts'
import { isLanguage } from './languages.ts'
import { readAmount } from './money.ts'

/** Fields of a section. Each has a default, so that an empty document is a whole configuration. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).prefault({} as z.input<z.ZodObject<Shape, z.core.$strict>>)
}

/** A colour: `#rgb`, `#rrggbb` or `#rrggbbaa`. Nothing else, because it becomes a part of the page's style. */
export const color = z
  .string()
  .regex(/^#(?:[\da-f]{3}|[\da-f]{6}|[\da-f]{8})$/i, 'must be a colour such as #8fe9d6')

/** The code of a language by its three letters (V1-14). */
export const languageCode = z.string().regex(/^[a-z]{3}$/, 'must be a three-letter language code')

/** A language of the interface: one that the service knows (V9-18). */
export const interfaceLanguage = z
  .string()
  .refine((code): boolean => isLanguage(code), 'must be the three-letter code of a language')

/** Text that viewers read, by language. `{}` leaves the service's own words in place. */
export const words = z.record(languageCode, z.string().max(2000))

/** A host, with its port, and what follows: nothing in it could end a header or an attribute that it is written into. */
const PLACE = /^[\w.-]+(?::\d{1,5})?(?:[/?#][^\s"'<>]*)?$/

function isSite(value: string, schemes: readonly string[]): boolean {
  const [scheme = '', ...rest] = value.split('://')
  return schemes.includes(scheme) && PLACE.test(rest.join('://')) && URL.canParse(value)
}

function isPath(value: string): boolean {
  return value === '' || /^\/(?![/\\])[^\s"'<>]*$/.test(value)
}

/** The address of a picture, a font or a logo: on this site, secure elsewhere, or a picture in itself. Empty for none. */
export const resource = z
  .string()
  .max(20_000)
  .refine(
    (value) => isPath(value) || isSite(value, ['https']) || /^data:image\/[\w.+-]+[;,]/.test(value),
    'must be a path, an https address or a data:image',
  )

/** An address that a person is sent to: a path, or one with the scheme http, https or mailto. Empty for none. */
export const address = z
  .string()
  .max(ADDRESS_MAX)
  .refine(
    (value) => isPath(value) || isSite(value, ['http', 'https']) || /^mailto:[^\s"'<>]+$/.test(value),
    'must be a path or an http, https or mailto address',
  )

/** The address of another service. A DSN has a key before its host. Empty for none. */
export const site = z
  .string()
  .max(500)
  .refine(
    (value) => value === '' || isSite(value.replace(/^(https?:\/\/)[\w:-]{1,200}@/, '$1'), ['http', 'https']),
    'must be an http or https address',
  )

/** The name of a font family, as a style sheet has it. */
export const fontFamily = z
  .string()
  .max(60)
  .regex(/^[\p{L}\d][\p{L}\d -]*$/u, 'must be the name of a font')

/** A price with VAT in euros, with two digits. Empty for none. */
export const price = z
  .string()
  .refine(
    (value) => value === '' || (/^\d+\.\d\d$/.test(value) && (readAmount(value) ?? 0) > 0),
    'must be an amount above nothing, such as "4.99"',
  )

/** A whole number within bounds, both included. */
export function whole(min: number, max: number) {
  return z.int().min(min).max(max)
}

/**
 * A word of a closed list that may be unknown: then it counts as `fallback`, and {@link configurationWarnings} says so (V3-52).
 * Anything but a word is refused.
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

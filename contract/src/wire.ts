import * as z from 'zod'
import { isLanguage } from './languages.ts'

/** Largest identifier: the maximum of a PostgreSQL `integer`. */
const MAX_ID = 2_147_483_647

/** A positive integer identifier, in decimal digits on the wire. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a positive whole number')
  .transform(Number)
  .refine((value) => value <= MAX_ID, 'is too large')

/** Returns the schema of an integer within inclusive bounds. */
export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
}

/** A number of seconds, at least 0, possibly with a fraction. */
export const seconds = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,9})?$/, 'must be a number of seconds')
  .transform(Number)

/** A Boolean value: `true` and `1` are true, `false` and `0` are false. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1')

/**
 * Returns the schema of a text of at most `max` characters. Line breaks and tabs are allowed, other control characters
 * are not.
 */
export function text(max: number) {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((value) => !/[^\P{Cc}\t\n\r]/u.test(value), 'has control characters')
}

/** The three-letter code of a known language (V1-14). */
export const language = z.string().refine(isLanguage, 'is not a known language code')

/** Default maximum length of a value sent as a JSON string, in characters. */
const MOST_JSON = 100_000

/**
 * Returns the schema of a value sent as a JSON string (V7-02).
 *
 * @param max maximum length of the string, in characters
 * @param isKept whether the value will be stored. Its texts must then not contain NUL or lone surrogates, which no
 * database accepts.
 */
export function json<Schema extends z.ZodType>(schema: Schema, { isKept = true, max = MOST_JSON } = {}) {
  return z
    .string()
    .max(max, 'is too long')
    .transform((value, context): unknown => {
      try {
        return isKept ? JSON.parse(value, requireStorable) : JSON.parse(value)
      } catch (error) {
        const message = error instanceof NotStorable ? error.message : 'must be JSON'
        context.issues.push({ code: 'custom', message, input: value })
        return z.NEVER
      }
    })
    .pipe(schema)
}

class NotStorable extends Error {}

function requireStorable(key: string, part: unknown): unknown {
  for (const text of [key, part])
    if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed()))
      throw new NotStorable('has NUL or half a character, which cannot be stored')
  return part
}

/** Returns the schema of a list of at most `max` ids, sent as JSON: `[12,15]`. */
export function ids(max: number) {
  return json(z.array(z.int().min(1).max(MAX_ID)).max(max))
}

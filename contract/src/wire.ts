import * as z from 'zod'
import { isLanguage } from './languages.ts'

/** Largest identifier: what a PostgreSQL `integer` holds. */
const MAX_ID = 2_147_483_647

/** A positive integer identifier, as it travels: decimal digits. */
export const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, 'must be a positive whole number')
  .transform(Number)
  .refine((value) => value <= MAX_ID, 'is too large')

/** A whole number within bounds, both included. */
export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${min} to ${max}`)
}

/** A number of seconds with fractions, 0 or more. */
export const seconds = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,9})?$/, 'must be a number of seconds')
  .transform(Number)

/** True or false. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform((value) => value === 'true' || value === '1')

/** Text of at most `max` characters without control characters but line breaks and tabs. */
export function text(max: number) {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((value) => !/[^\P{Cc}\t\n\r]/u.test(value), 'has control characters')
}

/** A three-letter language code that the service knows (V1-14). */
export const language = z.string().refine(isLanguage, 'is not a known language code')

/** Most characters of a value that travels as a JSON string, unless its field takes fewer. */
const MOST_JSON = 100_000

/**
 * A value that travels as a JSON string (V7-02).
 *
 * @param max most characters of the string
 * @param isKept whether it is to be stored: then no text in it has what no database takes, which is NUL and halves of characters
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
      throw new NotStorable('has NUL or half a character, which cannot be kept')
  return part
}

/** Identifiers as a JSON list: `[12,15]`, at most `max`. */
export function ids(max: number) {
  return json(z.array(z.int().min(1).max(MAX_ID)).max(max))
}

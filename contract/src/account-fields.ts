import * as z from 'zod'
import { type AccountField, TITLES } from './account-names.ts'
import type { FieldFault } from './field-faults.ts'
import { emailAddress, phoneNumber, requiredText } from './form-fields.ts'
import { isLanguage } from './languages.ts'
import { hasControls, isShown } from './shown-names.ts'

/** Longest name or address line, in characters. */
const MAX_LINE = 100

/** Earliest accepted year of birth. Nobody alive was born before it. */
const FIRST_YEAR = 1900

/** A line of text that may be empty. */
const line = z
  .string()
  .trim()
  .max(MAX_LINE, fault('tooLong'))
  .refine((value) => !hasControls(value), fault('invalid'))

/** A first or last name, which may have accents. */
const requiredName = requiredText(MAX_LINE)
  .refine((value) => !hasControls(value), fault('invalid'))
  .refine((value) => value === '' || isShown(value), fault('requiredField'))

/** A calendar day as year-month-day, padded to two digits (A5-15). May be empty. */
const birthDate = z.string().refine((value) => value === '' || isDay(value), fault('invalid'))

/** The fields of an account that its holder fills in, by their names on the wire (A3-01 to A3-03). */
export const ACCOUNT_SHAPE = {
  title: z.union([z.literal(''), z.enum(TITLES)], fault('invalid')),
  lastName: line.refine((value) => value === '' || isShown(value), fault('invalid')),
  phoneNumber,
  birthdate: birthDate,
  language: z.string().refine((value) => value === '' || isLanguage(value), fault('invalid')),
  addressStreet: line,
  addressSecondStreet: line,
  addressThirdStreet: line,
  addressNumber: line,
  addressCity: line,
  addressState: line,
  addressZip: line,
  /** Two letters of ISO 3166-1. */
  addressCountry: z.string().max(2, fault('invalid')),
} as const satisfies Record<AccountField, z.ZodType<string, string>>

/** The holder's first name and e-mail address. */
export const IDENTITY_SHAPE = { firstName: requiredName, email: emailAddress } as const

/** The names and the e-mail address that a registration requires (A5-11). */
export const REGISTRATION_SHAPE = { ...IDENTITY_SHAPE, lastName: requiredName } as const

/**
 * Returns whether a day of the form 1990-02-28 exists and is a plausible birthday. {@link isPast} rejects future days.
 */
function isDay(value: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= FIRST_YEAR && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function fault(name: FieldFault): FieldFault {
  return name
}

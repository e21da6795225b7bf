import * as z from 'zod'
import { type AccountField, TITLES } from './account-names.ts'
import type { FieldFault } from './field-faults.ts'
import { emailAddress, phoneNumber, requiredText } from './form-fields.ts'
import { isLanguage } from './languages.ts'
import { hasControls, isShown } from './shown-names.ts'

/** Longest name, and longest line of an address. */
const MAX_LINE = 100

/** The year before which nobody who is alive was born. */
const FIRST_YEAR = 1900

/** A line of text that may be empty. */
const line = z
  .string()
  .trim()
  .max(MAX_LINE, fault('tooLong'))
  .refine((value) => !hasControls(value), fault('invalid'))

/** A first name: whatever people are called, accents and all. */
const firstName = requiredText(MAX_LINE)
  .refine((value) => !hasControls(value), fault('invalid'))
  .refine((value) => value === '' || isShown(value), fault('requiredField'))

/** A day of the calendar as year-month-day, padded to two digits (A5-15); empty is allowed. */
export const birthDate = z.string().refine((value) => value === '' || isDay(value), fault('invalid'))

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

/** Who it is, and how they are written to. */
export const IDENTITY_SHAPE = { firstName, email: emailAddress } as const

/** Whether a day of the form 1990-02-28 exists and somebody may have been born on it. Days to come are told by {@link isPast}. */
function isDay(value: string): boolean {
  const [, year = 0, month = 0, day = 0] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  return year >= FIRST_YEAR && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

function fault(name: FieldFault): FieldFault {
  return name
}

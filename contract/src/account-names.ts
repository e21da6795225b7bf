import { ACCOUNT_FIELDS } from './configuration-values.ts'

/** Forms of address (A3-01). */
export const TITLES = ['M.', 'Mme.'] as const

/** A field of an account that a storefront may request besides the required ones (A3-05). */
export type AccountField = (typeof ACCOUNT_FIELDS)[number]

/** Value that a client sends for an empty line of a postal address (A5-14). */
export const NO_LINE = '-'

/** The lines of an address. */
export const ADDRESS_FIELDS = [
  'addressStreet',
  'addressSecondStreet',
  'addressThirdStreet',
  'addressNumber',
  'addressCity',
  'addressState',
  'addressZip',
  'addressCountry',
] as const satisfies AccountField[]

/** Returns whether a day has begun, in UTC. An empty day counts as begun. @param now milliseconds since the epoch */
export function isPast(day: string, now: number): boolean {
  return day === '' || Date.parse(`${day}T00:00:00Z`) <= now
}

/** Returns all fields that a storefront requests, both optional and mandatory ones (A3-05, A5-12). */
export function askedFields({
  fields,
  mandatory,
}: {
  fields: readonly AccountField[]
  mandatory: readonly AccountField[]
}): AccountField[] {
  return ACCOUNT_FIELDS.filter((field) => fields.includes(field) || mandatory.includes(field))
}

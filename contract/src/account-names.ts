import type { ACCOUNT_FIELDS } from './configuration-values.ts'

/** Forms of address (A3-01). */
export const TITLES = ['M.', 'Mme.'] as const

/** A field of an account that a storefront may ask for besides the required ones (A3-05). */
export type AccountField = (typeof ACCOUNT_FIELDS)[number]

/** What stands for a part of an address that was left out (A5-14). */
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

/** Whether a day has begun everywhere. @param now milliseconds since the epoch */
export function isPast(day: string, now: number): boolean {
  return day === '' || Date.parse(`${day}T00:00:00Z`) <= now
}

/** Whether a storefront's mandatory list makes a field required; what it does not show nobody can fill in (A5-12). */
export function isMandatory(
  field: AccountField,
  { fields, mandatory }: { fields: readonly AccountField[]; mandatory: readonly AccountField[] },
): boolean {
  return fields.includes(field) && mandatory.includes(field)
}

/**
 * All faults of form fields. Schemas use these names as messages, so that the service and the screens report the same
 * faults (V5, A5). The texts for viewers are in the group `forms` of the catalogues.
 */
export const FIELD_FAULTS = [
  'requiredField',
  'invalidEmail',
  'emailsDiffer',
  'passwordsDiffer',
  'passwordPolicy',
  'invalidPhone',
  'invalidCountry',
  'fourDigits',
  'parentalCodesDiffer',
  'wrongParentalCode',
  'tooLong',
  'invalid',
] as const

export type FieldFault = (typeof FIELD_FAULTS)[number]

/** Returns the fault whose name is `message`. Any other message is for programmers, and becomes `invalid`. */
export function asFieldFault(message: string): FieldFault {
  return FIELD_FAULTS.find((fault) => fault === message) ?? 'invalid'
}

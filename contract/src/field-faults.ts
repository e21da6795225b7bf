/**
 * The faults of form fields, as a closed list. Schemas use them as messages, so that the service and the screens report the same (V5, A5).
 * The texts are in the group `forms` of the catalogues.
 */
export const FIELD_FAULTS = [
  'requiredField',
  'invalidEmail',
  'emailsDiffer',
  'passwordsDiffer',
  'passwordPolicy',
  'invalidPhone',
  'fourDigits',
  'parentalCodesDiffer',
  'wrongParentalCode',
  'tooLong',
  'invalid',
] as const

export type FieldFault = (typeof FIELD_FAULTS)[number]

/** Returns the fault for a message. A message meant for programs becomes `invalid`. */
export function asFieldFault(message: string): FieldFault {
  return FIELD_FAULTS.find((fault) => fault === message) ?? 'invalid'
}

/**
 * What can be wrong with a field of a form: a closed list, which schemas use as their messages, so that the service and
 * the screens say the same (V5, A5). The texts are the group `forms` of the catalogues.
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

/** The fault that a message stands for. What was written for machines is an invalid field to people. */
export function asFieldFault(message: string): FieldFault {
  return FIELD_FAULTS.find((fault) => fault === message) ?? 'invalid'
}

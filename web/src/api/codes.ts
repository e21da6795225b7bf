/**
 * The error codes that pages react to, for any call. The list of all codes and their texts (contract,
 * `errors.ts`) is not part of the first page, because the service sends the texts.
 */
export const CODES = {
  tokenInvalid: -1,
  tooManyDevices: -411,
  invalidAccessCode: -1612,
  conflict: -409,
  accountSuspended: -2409,
  signInFailed: -3000,
  linkExpired: -410,
  subscriptionServiceSilent: -506,
} as const

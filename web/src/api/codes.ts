/**
 * The error codes that pages react to, whichever call failed. The contract's list of all codes with their texts
 * (`errors.ts`) is left out of the first page's code, because the service sends the texts.
 */
export const CODES = {
  tokenInvalid: -1,
  tooManyDevices: -411,
  invalidAccessCode: -1612,
  conflict: -409,
  recordingQuotaReached: -509,
  quotaContextNotFound: -4012,
  accountSuspended: -2409,
  signInFailed: -3000,
  linkExpired: -410,
  subscriptionServiceSilent: -506,
} as const

/**
 * The error codes to which pages react, for all calls. The contract's list of all codes (`errors.ts`) contains
 * their texts. The first page does not load that list, because the service sends the texts.
 */
export const CODES = {
  tokenInvalid: -1,
  tooManyDevices: -411,
  noMediaFound: -1602,
  invalidAccessCode: -1612,
  conflict: -409,
  recordingQuotaReached: -509,
  quotaContextNotFound: -4012,
  accountSuspended: -2409,
  signInFailed: -3000,
  accountNotActivated: -2334,
  linkExpired: -410,
  slowDown: -429,
  usernameTaken: -1000,
  subscriptionServiceSilent: -506,
} as const

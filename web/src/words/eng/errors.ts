import type { errors as french } from '../fra/errors.ts'
import { lastResort } from './last-resort.ts'

export const errors: typeof french = {
  ...lastResort,
  code: 'Error code',
  trace: 'Reference',
  retry: 'Try again',
  part: 'This part of the page couldn’t be displayed.',
  unexpected: 'Something went wrong on our side. Try again, or go back to home.',
  slowDown: 'Slow down!',
  // Pages show these errors also without an answer of the service, or when its answer is not in their language. The
  // texts of all other errors come with the answers. Written again, because an import of the contract's list would make
  // the first page larger.
  error5: 'The service is temporarily unavailable. Please try again in a moment.',
  error429: 'Too many connection attempts. Please try later',
  error911: 'This voucher code isn’t valid.',
  error503: 'The service isn’t responding. Please try again in a moment.',
  offline: 'The service isn’t responding. Check your connection, then try again.',
  unavailableTitle: 'Content unavailable',
  unavailable: 'Sorry, this content isn’t available at the moment.',
  configurationUnreachable: 'The service configuration couldn’t be read. Please try again in a moment.',
  crmUnreachable: 'The account service isn’t responding. Please try again in a moment.',
  linkExpired: 'This link has expired. Request a new one.',
  tokenMissing: 'Part of the link is missing. Open it again from the message we sent, or request a new one.',
  loginNotAllowed: 'Single sign-on isn’t available. Please contact your service provider.',
  authenticationFailed: 'Sign-in didn’t work. Please try again.',
  noAccountForEmail: 'No account is linked to this e-mail address.',
  signInInvalid: 'Incorrect e-mail or password',
  tooManySessions: 'Maximum number of simultaneous sessions reached',
  offerIncompatible: 'This offer is incompatible with your current subscription',
  nameExists: 'This name already exists',
  countryInvalid: 'Invalid country',
  profileLimit: 'Limit of profiles reached',
  passwordTooShort: 'The password is too short',
  passwordsMismatch: 'The passwords do not match',
  invalidCharacter: 'The password contains a character that isn’t allowed',
  passwordPolicy: 'The new password doesn’t meet the requirements',
  passwordSameAsLast: 'The new password must be different from the old one',
  unknown: 'Unknown Error',
}

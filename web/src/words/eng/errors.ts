import type { errors as french } from '../fra/errors.ts'

export const errors: typeof french = {
  title: 'An error has occurred',
  code: 'Error code',
  retry: 'Try again',
  back: 'Back to home',
  error5: 'The service is temporarily unavailable. Please try again in a moment.',
  error429: 'Too many connection attempts. Please try later',
  error500: 'An error has occurred. Would you like to try again?',
  error503: 'The service does not answer. Please try again in a moment.',
  offline: 'No answer from the service. Check your connection, then try again.',
}

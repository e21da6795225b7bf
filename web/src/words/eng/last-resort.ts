import type { lastResort as french } from '../fra/last-resort.ts'

export const lastResort: typeof french = {
  title: 'An error has occurred',
  retryText: 'An error has occurred. Would you like to try again?',
  back: 'Back to home',
}

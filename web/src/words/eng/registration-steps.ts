import type { registrationSteps as french } from '../fra/registration-steps.ts'

export const registrationSteps: typeof french = {
  'register-informations': 'Your details',
  'register-offers': 'Offer',
  'register-summary': 'Summary',
  'register-confirmation': 'Confirmation',
}

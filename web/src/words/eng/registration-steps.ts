import type { registrationSteps as french } from '../fra/registration-steps.ts'

export const registrationSteps: typeof french = {
  'register-informations': 'Your details',
  'register-offers': 'Plan',
  'register-summary': 'Summary',
  'register-confirmation': 'Confirmation',
}

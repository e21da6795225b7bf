import type { signIn as french } from '../fra/sign-in.ts'

export const signIn: typeof french = {
  title: 'Sign in',
  lead: 'Pick up where you left off.',
  email: 'E-mail address',
  password: 'Password',
  submit: 'Sign in',
  pending: 'Signing in…',
  demonstration: 'Demonstration',
  demonstrationLead: 'Choose an account to try it out.',
  demonstrationPassword: 'Password: {{password}}',
  demonstrationSubscriber: 'Subscriber with a plan and receipts',
  demonstrationRenter: 'Renter: one current rental, one expired',
  demonstrationSuspended: 'Suspended account',
}

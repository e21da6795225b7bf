import type { pairing as french } from '../fra/pairing.ts'

export const pairing: typeof french = {
  title: 'Pair this TV',
  lead: 'On your phone or computer, open this address, then enter the code.',
  code: 'Code to enter',
  scan: 'You can also scan this code with your phone.',
  expires: 'This code is valid for ten minutes.',
  expired: 'This code is no longer valid.',
  renew: 'Show a new code',
  failed: 'We can’t get a code at the moment.',
  tooManyDevices: 'This account has reached its maximum number of devices. Remove one to pair this TV.',
  waiting: 'Waiting for you to confirm…',
}

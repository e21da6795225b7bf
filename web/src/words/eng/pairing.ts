import type { pairing as french } from '../fra/pairing.ts'

export const pairing: typeof french = {
  title: 'Pair this television',
  lead: 'On your phone or computer, open this address, then enter the code.',
  code: 'Code to enter',
  scan: 'Or scan this code with your phone.',
  expires: 'This code is good for ten minutes.',
  expired: 'This code is no longer valid.',
  renew: 'Show a new code',
  failed: 'There is no code to be had at the moment.',
  tooManyDevices:
    'This account has reached its maximum number of devices. Remove one, and this television comes in.',
  waiting: 'Waiting for you to confirm…',
}

import type { parentalCode as french } from '../fra/parental-code.ts'

export const parentalCode: typeof french = {
  title: 'Parental code',
  'title-popup': 'Parental code',
  'parental-code-not-ok': 'This is not the right code.',
  lead: 'Four digits that guard all profiles of the account: whatever is above a profile’s level asks for them.',
  defaultOnly: 'The parental code is set from the main profile.',
  current: 'Current code',
  new: 'New code',
  confirmation: 'Confirm the new code',
  set: 'Set the code',
  change: 'Change the code',
  pending: 'One moment…',
  wrong: 'You have entered the wrong parental code.',
  failed: 'Parental code not OK',
  updatedTitle: 'Success !',
  updated: 'Your parental code has been updated',
  setFirstTitle: 'Set a code first',
  setFirst:
    'This needs a parental code, and this account has none yet. The main profile sets one in the account settings.',
}

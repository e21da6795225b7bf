import type { parentalCode as french } from '../fra/parental-code.ts'

export const parentalCode: typeof french = {
  title: 'Parental code',
  'title-popup': 'Parental code',
  'parental-code-not-ok': 'Incorrect code.',
  newDevice: 'This device is new to the account. To watch on it, an adult must enter the parental code.',
  lead: 'This four-digit code protects every profile on the account.',
  asked: 'When is it required?',
  askedAbove: 'To watch anything above a profile’s age limit.',
  askedChild: 'To leave a child’s profile.',
  defaultOnly: 'Only the main profile can change the parental code.',
  current: 'Current code',
  forgotten: 'Forgot the code?',
  remembered: 'Use the current code instead',
  byPassword: 'To choose a new code without the current one, enter your account password.',
  bySupport: 'If you’ve forgotten the code, contact support.',
  new: 'New code',
  confirmation: 'Confirm the new code',
  set: 'Set the code',
  change: 'Change the code',
  pending: 'One moment…',
  failed: 'Parental code not OK',
  updatedTitle: 'Success !',
  updated: 'Your parental code has been updated',
  setFirstTitle: 'Set a code first',
  setFirst:
    'This title requires a parental code, but this account doesn’t have one yet. Set it in the account settings from the main profile.',
}

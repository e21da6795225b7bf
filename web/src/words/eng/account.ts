import type { account as french } from '../fra/account.ts'

export const account: typeof french = {
  informations: 'Personal details',
  informationsLead: 'What we know of you, and you can change.',
  reference: 'Customer reference: {{id}}',
  save: 'Save',
  saving: 'Saving…',
  saved: 'It is saved.',
  pendingEmail: 'A link is on its way to {{email}}: that address counts once it is confirmed.',
  security: 'Security',
  securityLead: 'Your password, and the end of your account.',
  currentPassword: 'Current password',
  wrongPassword: 'This is not your current password',
  changePassword: 'Change the password',
  passwordChanged: 'Your password is changed. Your other devices will have to sign in again.',
  delete: 'Delete my account',
  deleteLead:
    'Your name, your profiles, your history and your favourites are gone for ever. What accounting must keep stays, without your name.',
  deleteTitle: 'Delete your account?',
  deleteText: 'All of it goes at once, and nothing can be brought back.',
  deleteConfirm: 'Delete for ever',
  deleteKeep: 'Keep my account',
  noPassword: 'You sign in with your identity provider: your password is changed there.',
}

import type { account as french } from '../fra/account.ts'

export const account: typeof french = {
  informations: 'Personal details',
  informationsLead: 'View and update your details.',
  support: 'Support',
  reference: 'If you contact support, quote your customer reference: {{id}}.',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Changes saved.',
  pendingEmail:
    'We’ve sent a confirmation link to {{email}}. Your e-mail address will change once you confirm the new one.',
  security: 'Security',
  securityLead: 'Manage your password and your account.',
  currentPassword: 'Current password',
  wrongPassword: 'Incorrect current password',
  changePassword: 'Change password',
  passwordChanged: 'Your password has been changed. You’ll need to sign in again on your other devices.',
  delete: 'Delete my account',
  deleteLead:
    'Your name, profiles, history and list will be permanently deleted. Records we have to keep for accounting will no longer carry your name.',
  deleteTitle: 'Delete your account?',
  deleteText:
    'All your data will be deleted immediately. Any subscriptions, rentals and purchases will end, without a refund. This can’t be undone.',
  deleteElsewhere:
    'Deleting your account doesn’t cancel {{title}}. To stop being charged, cancel it with {{where}}.',
  deleteUnknown: 'A subscription from an app store or our partner isn’t cancelled. Cancel it there.',
  deleteConfirm: 'Delete permanently',
  deleteKeep: 'Keep my account',
  noPassword: 'You sign in through another service. You can change your password on its website.',
}

import type { account as french } from '../fra/account.ts'

export const account: typeof french = {
  informations: 'Personal details',
  informationsLead: 'View and update your details.',
  reference: 'Customer reference: {{id}}',
  save: 'Save',
  saving: 'Saving…',
  saved: 'Changes saved.',
  pendingEmail: 'We sent a confirmation link to {{email}}. Your address changes once you confirm it.',
  security: 'Security',
  securityLead: 'Manage your password and your account.',
  currentPassword: 'Current password',
  wrongPassword: 'Incorrect current password',
  changePassword: 'Change password',
  passwordChanged: 'Your password has been changed. Your other devices will need to sign in again.',
  delete: 'Delete my account',
  deleteLead:
    'Your name, profiles, history and favourites will be permanently deleted. Records required for accounting are kept without your name.',
  deleteTitle: 'Delete your account?',
  deleteText: 'All your data will be deleted immediately. This cannot be undone.',
  deleteConfirm: 'Delete permanently',
  deleteKeep: 'Keep my account',
  noPassword: 'You sign in with your identity provider. You can change your password there.',
}

import type { profileMenu as french } from '../fra/profile-menu.ts'

export const profileMenu: typeof french = {
  'switch-profile': 'Switch profile',
  'update-profile': 'Edit profile',
  settings: 'Account settings',
  library: 'Library',
  notifications: 'Notifications',
  logout: 'Sign out',
}

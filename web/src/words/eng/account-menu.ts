import type { accountMenu as french } from '../fra/account-menu.ts'

export const accountMenu: typeof french = {
  title: 'Account settings',
  favorites: 'My list',
  continue: 'Continue watching',
  products: 'Subscriptions and purchases',
  informations: 'Personal details',
  security: 'Security',
  'parental-code': 'Parental code',
  devices: 'Devices',
  'account-management': 'Manage my account',
  grownUpsTitle: 'Ask a grown-up',
  grownUpsText:
    'This page is for grown-ups. A grown-up can switch to their own profile with the parental code.',
}

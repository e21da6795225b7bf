import type { shell as french } from '../fra/shell.ts'

export const shell: typeof french = {
  skip: 'Skip to content',
  mainNavigation: 'Main navigation',
  tabBar: 'Quick navigation',
  home: 'Home',
  live: 'Live',
  guide: 'Guide',
  signIn: 'Sign in',
  signOut: 'Sign out',
  accountMenu: '{{name}}’s account',
  homeLink: '{{name}}, home',
  language: 'Language',
  legal: 'Legal notice',
  help: 'Help',
  about: 'Discover',
  account: 'Account',
  offers: 'Offers',
  allContent: 'The whole catalogue',
  devices: 'Devices',
  copyright: '© {{year}} {{name}}. All rights reserved.',
  copyrightDemonstration: 'Demonstration films, channels and pictures made by this service’s own code.',
}

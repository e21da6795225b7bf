import type { home as french } from '../fra/home.ts'

export const home: typeof french = {
  title: 'Home',
  now: 'right now',
  live: 'Live',
  continue: 'Continue watching',
  favourites: 'My list',
  moreInfo: 'More info',
  moreInfoOf: 'More info: {{title}}',
  moreInfoShort: 'Info',
  emptyTitle: 'The screen is ready',
  empty: 'The first films are on their way. This page will update by itself.',
  emptyIdle: 'There’s nothing to watch here yet. Import a folder of films to get started.',
  featured: 'Featured',
  show: 'Show {{title}}',
  new: 'New arrivals',
  leaving: 'Leaving soon',
  selection: 'Recommended',
  pause: 'Pause slideshow',
  resume: 'Resume slideshow',
  lookAround: 'Browse the catalogue',
}

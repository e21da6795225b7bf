import type { home as french } from '../fra/home.ts'

export const home: typeof french = {
  title: 'Home',
  now: 'right now',
  live: 'Live',
  continue: 'Continue watching',
  favourites: 'Your favourites',
  moreInfo: 'More info',
  moreInfoShort: 'Info',
  emptyTitle: 'The house lights are up',
  empty: 'The first films are on their way. This page updates by itself.',
  emptyIdle: 'There is nothing to watch here yet. Import a folder of films to get started.',
  featured: 'Featured',
  show: 'Show {{title}}',
  new: 'New arrivals',
  leaving: 'Leaving soon',
  selection: 'Recommended',
  pause: 'Pause slideshow',
  resume: 'Resume slideshow',
  lookAround: 'Browse the catalogue',
}

import type { home as french } from '../fra/home.ts'

export const home: typeof french = {
  title: 'Home',
  now: 'right now',
  live: 'Live',
  continue: 'Continue watching',
  favourites: 'Your favourites',
  moreInfo: 'More info',
  moreInfoShort: 'Info',
  emptyTitle: 'The theatre is ready',
  empty: 'The first films are on their way. This page fills up by itself, without a reload.',
  emptyIdle: 'There is nothing to watch here yet. Import a folder of films, and the lights go down.',
  featured: 'Featured',
  show: 'Show {{title}}',
  new: 'Newly arrived',
  leaving: 'Leaving soon',
  selection: 'Worth a look',
  pause: 'Stop the slides',
  resume: 'Start the slides again',
  lookAround: 'See what is on',
}

import type { favourites as french } from '../fra/favourites.ts'

export const favourites: typeof french = {
  title: 'Favourites',
  add: 'Add {{title}} to favourites',
  remove: 'Remove {{title}} from favourites',
  channels: 'Channels',
  titles: 'Films and series',
  empty: 'Nothing here yet. The heart of a film, a series or a channel adds it to this page.',
  continueTitle: 'Continue watching',
  continueEmpty: 'Nothing to go on with. What you begin waits for you here.',
  livesTitle: 'Live events',
  livesEmpty: 'No live event is announced.',
  goHome: 'Go to home',
  goLive: 'See what is live',
}

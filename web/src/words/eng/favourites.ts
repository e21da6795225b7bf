import type { favourites as french } from '../fra/favourites.ts'

export const favourites: typeof french = {
  title: 'Favourites',
  add: 'Add {{title}} to favourites',
  remove: 'Remove {{title}} from favourites',
  added: '{{title}} is now in your favourites.',
  removed: '{{title}} is no longer in your favourites.',
  channels: 'Channels',
  titles: 'Films and series',
  empty: 'Nothing here yet. Select the heart on a film, series or channel to add it.',
  continueTitle: 'Continue watching',
  continueEmpty: 'Nothing to resume yet. Titles you start will appear here.',
  livesTitle: 'Live events',
  livesEmpty: 'No live events are scheduled.',
  goHome: 'Go to home',
  goLive: 'Watch live TV',
}

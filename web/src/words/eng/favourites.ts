import type { favourites as french } from '../fra/favourites.ts'

export const favourites: typeof french = {
  title: 'My list',
  add: 'Add {{title}} to my list',
  remove: 'Remove {{title}} from my list',
  added: '{{title}} has been added to your list.',
  removed: '{{title}} has been removed from your list.',
  channels: 'Channels',
  titles: 'Films and series',
  recordings: 'Recordings',
  empty: 'Your list is empty. Select the heart on a film, series, channel or recording to add it.',
  continueTitle: 'Continue watching',
  continueEmpty: 'Nothing to resume yet. Titles you start will appear here.',
  livesTitle: 'Live events',
  livesEmpty: 'No live events are scheduled.',
  goHome: 'Go to the home page',
  goLive: 'Watch live TV',
}

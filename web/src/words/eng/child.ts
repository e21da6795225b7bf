import type { child as french } from '../fra/child.ts'

export const child: typeof french = {
  greeting: 'Hi {{name}}!',
  lead: 'What shall we watch today?',
  live: 'On TV right now',
  continue: 'Carry on watching',
  favourites: 'Your favourites',
  new: 'Brand new',
  leaving: 'Watch before they go',
  selection: 'Something to discover',
  empty: 'There’s nothing to watch right now. Come back soon!',
  locked: 'Ask a grown-up if you’d like to watch this.',
  notFound: 'Search for what you want to watch, or go back to the home page.',
  back: 'Back to home',
}

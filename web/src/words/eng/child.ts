import type { child as french } from '../fra/child.ts'

export const child: typeof french = {
  greeting: 'Hi {{name}}!',
  lead: 'What shall we watch today?',
  live: 'On TV right now',
  continue: 'Your stories so far',
  favourites: 'Your favourites',
  new: 'Brand new',
  leaving: 'Watch before they go',
  selection: 'Something to discover',
  empty: 'There is nothing to watch right now. Come back soon!',
  locked: 'Ask a grown-up to watch this.',
  notFound: 'There is nothing here. Search for what you want to watch, or go back to your home.',
  back: 'Back to my home',
}

import type { rail as french } from '../fra/rail.ts'

export const rail: typeof french = {
  previous: 'Previous: {{title}}',
  next: 'Next: {{title}}',
  all: 'See all',
  allOf: 'See all: {{title}}',
  open: 'View details',
  addFavourite: 'Add to favourites',
  removeFavourite: 'Remove from favourites',
  resume: 'Resume',
  removeBegun: 'Remove {{title}} from the list',
  begunRemoved: '{{title}} was removed from the list.',
  undo: 'Undo',
}

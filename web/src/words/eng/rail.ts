import type { rail as french } from '../fra/rail.ts'

export const rail: typeof french = {
  previous: 'Previous: {{title}}',
  next: 'Next: {{title}}',
  all: 'See all',
  allOf: 'See all: {{title}}',
  open: 'View details',
  addFavourite: 'Add to my list',
  removeFavourite: 'Remove from my list',
  resume: 'Resume',
  removeBegun: 'Remove {{title}} from “Continue watching”',
  begunRemoved: '{{title}} has been removed from “Continue watching”.',
  undo: 'Undo',
}

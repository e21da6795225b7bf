import type { category as french } from '../fra/category.ts'

export const category: typeof french = {
  all: 'Full catalogue',
  empty: 'There are no titles here yet. Check back soon.',
  count_one: '{{count}} title',
  count_other: '{{count}} titles',
  title: 'Categories',
  intro: 'The full catalogue, category by category.',
  sort: 'Sort',
  sortNone: 'Our picks',
  sortDate: 'Newest first',
  sortUp: 'Title, A to Z',
  sortDown: 'Title, Z to A',
  sortRandom: 'Shuffle',
  asList: 'Show as a list',
  more: 'Show more titles',
  loading: 'Loading more…',
  failed: 'Couldn’t load more.',
  retry: 'Try again',
  sub: 'In this category',
  others: 'Other categories',
  end: 'You’ve reached the end.',
}

import type { category as french } from '../fra/category.ts'

export const category: typeof french = {
  all: 'The whole catalogue',
  empty: 'This section is filling up. Come back in a moment.',
  count_one: '{{count}} title',
  count_other: '{{count}} titles',
  title: 'Categories',
  intro: 'The whole catalogue, category by category.',
  sort: 'Sort',
  sortNone: 'Our selection',
  sortDate: 'Newest first',
  sortUp: 'Title, A to Z',
  sortDown: 'Title, Z to A',
  sortRandom: 'At random',
  asList: 'Show as a list',
  more: 'Show more titles',
  loading: 'More is on its way…',
  failed: 'The rest did not arrive.',
  retry: 'Try again',
  sub: 'In this category',
  others: 'Other categories',
  end: 'That is all there is.',
}

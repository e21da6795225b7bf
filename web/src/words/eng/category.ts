import type { category as french } from '../fra/category.ts'

export const category: typeof french = {
  all: 'The whole catalogue',
  empty: 'This section is filling up. Come back in a moment.',
  count_one: '{{count}} title',
  count_other: '{{count}} titles',
}

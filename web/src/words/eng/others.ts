import type { others as french } from '../fra/others.ts'

export const others: typeof french = {
  title: 'Others',
  empty: 'The menu couldn’t be loaded.',
}

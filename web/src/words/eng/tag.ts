import type { tag as french } from '../fra/tag.ts'

export const tag: typeof french = {
  live: 'Live',
  new: 'New',
  leaving: '{{count}}d left',
  leavingLabel_one: '{{count}} day left',
  leavingLabel_other: '{{count}} days left',
  locked: 'Locked',
  preparing: 'Soon',
  preparingLabel: 'Being prepared',
  failed: 'Unavailable',
  adult: 'For adults only',
}

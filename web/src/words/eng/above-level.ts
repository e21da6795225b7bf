import type { aboveLevel as french } from '../fra/above-level.ts'

export const aboveLevel: typeof french = {
  asset: 'This video isn’t for you yet',
  category: 'This series isn’t for you yet',
  channel: 'This channel isn’t for you yet',
  event: 'This programme isn’t for you yet',
  text: 'It’s for older viewers: pick something else, or ask a grown-up.',
  askGrownUp: 'Ask a grown-up',
}

import type { aboveLevel as french } from '../fra/above-level.ts'

export const aboveLevel: typeof french = {
  asset: 'This video is not for you yet',
  category: 'This series is not for you yet',
  channel: 'This channel is not for you yet',
  event: 'This programme is not for you yet',
  text: 'It is for older children or grown-ups. You can pick something else, or ask a grown-up.',
  askGrownUp: 'Ask a grown-up',
}

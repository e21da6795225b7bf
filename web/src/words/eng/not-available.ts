import type { notAvailable as french } from '../fra/not-available.ts'

export const notAvailable: typeof french = {
  title: 'Not available yet',
  text: 'This screen is not open yet. Meanwhile, the show is this way.',
  back: 'Back to home',
}

import type { notAvailable as french } from '../fra/not-available.ts'

export const notAvailable: typeof french = {
  text: 'This page isn’t available yet.',
  back: 'Back to home',
  'library-downloads': 'Downloads',
}

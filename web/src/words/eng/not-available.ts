import type { notAvailable as french } from '../fra/not-available.ts'

export const notAvailable: typeof french = {
  back: 'Back to home',
}

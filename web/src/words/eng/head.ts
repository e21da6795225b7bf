import type { head as french } from '../fra/head.ts'

export const head: typeof french = {
  tagline: 'Films, series and live channels',
  description: 'Hand-picked films and series, and live channels, on all your screens.',
}

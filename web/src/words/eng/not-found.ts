import type { notFound as french } from '../fra/not-found.ts'

export const notFound: typeof french = {
  title: 'Page not found',
  text: 'This page does not exist or has moved.',
  back: 'Back to home',
}

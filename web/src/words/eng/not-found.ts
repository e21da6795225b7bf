import type { notFound as french } from '../fra/not-found.ts'

export const notFound: typeof french = {
  title: 'Page not found',
  text: 'This page doesn’t exist or has moved.',
  back: 'Back to home',
}

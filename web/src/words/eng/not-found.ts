import type { notFound as french } from '../fra/not-found.ts'

export const notFound: typeof french = {
  title: 'Page not found',
  text: 'It may have been moved, or it never existed.',
  back: 'Back to home',
}

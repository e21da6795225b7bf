import type { playlist as french } from '../fra/playlist.ts'

export const playlist: typeof french = {
  title: 'All series',
  text: 'Every episode, season by season.',
  empty: 'The episodes are on their way. Come back in a moment.',
  page: 'About the series',
  pageOf: 'About the series: {{title}}',
}

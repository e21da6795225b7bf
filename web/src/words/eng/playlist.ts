import type { playlist as french } from '../fra/playlist.ts'

export const playlist: typeof french = {
  title: 'All series',
  text: 'Every episode, season by season.',
  episodes: 'All episodes',
  empty: 'There are no episodes yet. Check back soon.',
  page: 'About the series',
  pageOf: 'About the series: {{title}}',
}

export const playlist = {
  title: 'All series',
  text: 'Every episode, season by season.',
  empty: 'The episodes are on their way. Come back in a moment.',
  page: 'About the series',
}

export const playlist = {
  title: 'Toutes les séries',
  text: 'Tous les épisodes, saison par saison.',
  empty: 'Les épisodes arrivent. Revenez dans un instant.',
  page: 'La page de la série',
  pageOf: 'La page de la série : {{title}}',
}

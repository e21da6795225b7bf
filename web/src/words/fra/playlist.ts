export const playlist = {
  title: 'Toutes les séries',
  text: 'Tous les épisodes, saison par saison.',
  episodes: 'Tous les épisodes',
  empty: 'Aucun épisode pour l’instant. Revenez bientôt.',
  page: 'Fiche de la série',
  pageOf: 'Fiche de la série : {{title}}',
}

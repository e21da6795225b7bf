export const playlist = {
  title: 'Toutes les séries',
  text: 'Tous les épisodes, saison par saison.',
  empty: 'Aucun épisode pour l’instant. Revenez bientôt.',
  page: 'Fiche de la série',
  pageOf: 'Fiche de la série : {{title}}',
}

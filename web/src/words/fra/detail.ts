export const detail = {
  episodes: 'Épisodes',
  about: 'À propos',
  related: 'Dans le même esprit',
  season: 'Saison {{number}}',
  chooseSeason: 'Choisir une saison',
  noEpisodes: 'Les épisodes de cette saison arrivent bientôt.',
  noRelated: 'Rien d’autre dans cet esprit pour l’instant.',
  partOf: 'Épisode de {{title}}',
  next: 'Épisode suivant',
  readMore: 'Lire la suite',
  readLess: 'Réduire',
  sections: 'Contenu de la page',
}

export const favourites = {
  title: 'Favoris',
  add: 'Ajouter {{title}} aux favoris',
  remove: 'Retirer {{title}} des favoris',
  channels: 'Chaînes',
  titles: 'Films et séries',
  empty: 'Rien ici pour l’instant. Touchez le cœur d’un film, d’une série ou d’une chaîne pour l’ajouter.',
  continueTitle: 'Reprendre',
  continueEmpty: 'Rien à reprendre pour l’instant. Les titres que vous commencez apparaîtront ici.',
  livesTitle: 'Événements',
  livesEmpty: 'Aucun événement en direct n’est prévu.',
  goHome: 'Aller à l’accueil',
  goLive: 'Voir le direct',
}

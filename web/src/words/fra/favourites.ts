export const favourites = {
  title: 'Favoris',
  add: 'Ajouter {{title}} aux favoris',
  remove: 'Retirer {{title}} des favoris',
  channels: 'Chaînes',
  titles: 'Films et séries',
  empty: 'Rien ici pour l’instant. Le cœur d’un film, d’une série ou d’une chaîne l’ajoute à cette page.',
  continueTitle: 'Reprendre',
  continueEmpty: 'Rien à reprendre. Ce que vous commencez vous attend ici.',
  livesTitle: 'Événements',
  livesEmpty: 'Aucun événement en direct n’est annoncé.',
  goHome: 'Aller à l’accueil',
  goLive: 'Voir le direct',
}

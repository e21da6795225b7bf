export const favourites = {
  title: 'Ma liste',
  add: 'Ajouter {{title}} à ma liste',
  remove: 'Retirer {{title}} de ma liste',
  added: '{{title}} est maintenant dans la liste.',
  removed: '{{title}} n’est plus dans la liste.',
  channels: 'Chaînes',
  titles: 'Films et séries',
  recordings: 'Enregistrements',
  empty:
    'La liste est vide. Appuyer sur le cœur d’un film, d’une série, d’une chaîne ou d’un enregistrement l’ajoute ici.',
  continueTitle: 'Reprendre',
  continueEmpty: 'Rien à reprendre pour l’instant. Les titres commencés apparaîtront ici.',
  livesTitle: 'Événements',
  livesEmpty: 'Aucun événement en direct n’est prévu.',
  goHome: 'Aller à l’accueil',
  goLive: 'Voir le direct',
}

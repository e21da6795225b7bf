export const rail = {
  previous: 'Précédents : {{title}}',
  next: 'Suivants : {{title}}',
  all: 'Tout voir',
  allOf: 'Tout voir : {{title}}',
  open: 'Voir la fiche',
  addFavourite: 'Ajouter aux favoris',
  removeFavourite: 'Retirer des favoris',
  resume: 'Reprendre',
  removeBegun: 'Retirer {{title}} de la liste',
  begunRemoved: '{{title}} ne figure plus dans la liste.',
  undo: 'Annuler',
}

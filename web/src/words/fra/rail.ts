export const rail = {
  previous: 'Précédents : {{title}}',
  next: 'Suivants : {{title}}',
  all: 'Tout voir',
  allOf: 'Tout voir : {{title}}',
  open: 'Voir la fiche',
  addFavourite: 'Ajouter à ma liste',
  removeFavourite: 'Retirer de ma liste',
  resume: 'Reprendre',
  removeBegun: 'Retirer {{title}} de « Reprendre »',
  begunRemoved: '{{title}} n’est plus dans « Reprendre ».',
  undo: 'Annuler',
}

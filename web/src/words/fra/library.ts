export const library = {
  title: 'Bibliothèque',
  'library-rentals': 'Locations',
  'library-past': 'Locations passées',
  'library-downloads': 'Téléchargements',
  'library-completed-records': 'Enregistrements',
  'library-scheduled-records': 'Enregistrements programmés',
  rentalsEmpty:
    'Aucune location en cours. Les titres que vous louez apparaîtront ici, avec le temps qu’il vous reste.',
  pastEmpty: 'Aucune location passée. Les titres dont la location est terminée apparaîtront ici.',
  goCatalogue: 'Parcourir le catalogue',
  goRentals: 'Voir les locations en cours',
}

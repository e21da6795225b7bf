export const home = {
  title: 'Accueil',
  now: 'maintenant',
  live: 'En direct',
  continue: 'Continuer de regarder',
  moreInfo: 'Plus d’infos',
  moreInfoShort: 'Infos',
  emptyTitle: 'La salle est prête',
  empty: 'Les premiers films arrivent. Cette page se remplira toute seule, sans rien recharger.',
  emptyIdle: 'Il n’y a encore rien à regarder ici. Importez un dossier de films, et la salle s’allume.',
  featured: 'À la une',
  show: 'Montrer {{title}}',
}

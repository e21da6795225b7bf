export const notAvailable = {
  text: 'Cette page n’est pas encore disponible.',
  back: 'Retour à l’accueil',
  'library-downloads': 'Téléchargements',
}

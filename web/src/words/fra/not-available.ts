export const notAvailable = {
  back: 'Retour à l’accueil',
}

export const notAvailable = {
  title: 'Pas encore disponible',
  text: 'Cet écran n’est pas encore ouvert. En attendant, la salle est par ici.',
  back: 'Retour à l’accueil',
}

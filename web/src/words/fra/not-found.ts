export const notFound = {
  title: 'Page introuvable',
  text: 'Cette page n’existe pas ou a été déplacée.',
  back: 'Retour à l’accueil',
}

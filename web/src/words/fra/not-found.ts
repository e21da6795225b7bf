export const notFound = {
  title: 'Page introuvable',
  text: 'Elle a peut-être été déplacée, ou n’a jamais existé.',
  back: 'Retour à l’accueil',
}

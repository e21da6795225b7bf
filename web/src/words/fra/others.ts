export const others = {
  title: 'Autres',
  empty: 'Le menu n’a pas pu être chargé.',
}

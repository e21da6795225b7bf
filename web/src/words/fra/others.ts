export const others = {
  title: 'Plus',
  empty: 'Le menu n’a pas pu être chargé.',
}

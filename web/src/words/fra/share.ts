export const share = {
  share: 'Partager',
  label: 'Partager : {{title}}',
}

export const push = {
  title: 'Notifications',
  label: 'Notifications pour {{name}} sur cet appareil',
  note: 'Enregistrements prêts, et nouveaux épisodes des séries de votre liste ou que vous enregistrez.',
  blocked:
    'Les notifications de ce site sont bloquées dans votre navigateur. Autorisez-les dans les réglages du site, puis revenez ici.',
  unsupported:
    'Ce navigateur n’affiche pas de notifications. Sur iPhone et iPad, ajoutez d’abord le site à l’écran d’accueil.',
}

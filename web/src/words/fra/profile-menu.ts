export const profileMenu = {
  'switch-profile': 'Changer de profil',
  'update-profile': 'Modifier le profil',
  settings: 'Réglages du compte',
  library: 'Bibliothèque',
  notifications: 'Notifications',
  logout: 'Se déconnecter',
}

export const accountMenu = {
  title: 'Réglages du compte',
  favorites: 'Favoris',
  continue: 'Reprendre',
  products: 'Abonnements et achats',
  informations: 'Informations personnelles',
  security: 'Sécurité',
  'parental-code': 'Code parental',
  devices: 'Appareils',
  'account-management': 'Gérer mon compte',
}

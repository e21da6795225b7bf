export const accountMenu = {
  title: 'Réglages du compte',
  favorites: 'Ma liste',
  continue: 'Reprendre',
  products: 'Abonnements et achats',
  informations: 'Informations personnelles',
  security: 'Sécurité',
  'parental-code': 'Code parental',
  devices: 'Appareils',
  'account-management': 'Gérer mon compte',
  grownUpsTitle: 'Demande à un adulte',
  grownUpsText:
    'Cette page est réservée aux adultes. Avec le code parental, un adulte peut passer sur son profil.',
}

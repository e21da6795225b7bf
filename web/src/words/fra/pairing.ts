export const pairing = {
  title: 'Associer ce téléviseur',
  lead: 'Sur votre téléphone ou votre ordinateur, ouvrez cette adresse, puis saisissez le code.',
  code: 'Code à saisir',
  scan: 'Vous pouvez aussi scanner ce code avec votre téléphone.',
  expires: 'Ce code est valable dix minutes.',
  expired: 'Ce code n’est plus valable.',
  renew: 'Afficher un nouveau code',
  failed: 'Impossible d’obtenir un code pour l’instant.',
  tooManyDevices:
    'Ce compte a atteint son nombre maximal d’appareils. Retirez-en un pour associer ce téléviseur.',
  waiting: 'En attente de votre confirmation…',
}

export const account = {
  informations: 'Informations personnelles',
  informationsLead: 'Consultez et modifiez vos informations.',
  support: 'Assistance',
  reference: 'Si vous contactez l’assistance, indiquez votre référence client : {{id}}.',
  save: 'Enregistrer',
  saving: 'Enregistrement…',
  saved: 'Modifications enregistrées.',
  pendingEmail:
    'Un lien de confirmation a été envoyé à {{email}}. Cette adresse remplacera l’ancienne dès que vous l’aurez confirmée.',
  security: 'Sécurité',
  securityLead: 'Gérez votre mot de passe et votre compte.',
  currentPassword: 'Mot de passe actuel',
  wrongPassword: 'Mot de passe actuel incorrect',
  changePassword: 'Modifier le mot de passe',
  passwordChanged: 'Votre mot de passe a été modifié. Vous devrez vous reconnecter sur vos autres appareils.',
  delete: 'Supprimer mon compte',
  deleteLead:
    'Votre nom, vos profils, votre historique et votre liste seront définitivement supprimés. Les données comptables que nous devons conserver ne porteront plus votre nom.',
  deleteTitle: 'Supprimer votre compte ?',
  deleteText:
    'Toutes vos données seront supprimées immédiatement. Vos éventuels abonnements, locations et achats prendront fin, sans remboursement. Cette action est irréversible.',
  deleteElsewhere:
    'La suppression de votre compte ne résilie pas {{title}}. Pour arrêter les paiements, résiliez cet abonnement auprès de {{where}}.',
  deleteUnknown:
    'Un abonnement souscrit dans une boutique d’applications ou chez notre partenaire n’est pas résilié. Résiliez-le là-bas.',
  deleteConfirm: 'Supprimer définitivement',
  deleteKeep: 'Conserver mon compte',
  noPassword:
    'Vous vous connectez par un autre service : c’est sur son site que vous pouvez modifier votre mot de passe.',
}

export const account = {
  informations: 'Informations personnelles',
  informationsLead: 'Ce que nous savons de vous, et que vous pouvez changer.',
  reference: 'Référence client : {{id}}',
  save: 'Enregistrer',
  saving: 'Enregistrement…',
  saved: 'C’est enregistré.',
  pendingEmail: 'Un lien est parti vers {{email}} : cette adresse comptera dès sa confirmation.',
  security: 'Sécurité',
  securityLead: 'Votre mot de passe, et la fin de votre compte.',
  currentPassword: 'Mot de passe actuel',
  wrongPassword: 'Ce n’est pas votre mot de passe actuel',
  changePassword: 'Changer de mot de passe',
  passwordChanged: 'Votre mot de passe est changé. Vos autres appareils devront se reconnecter.',
  delete: 'Supprimer mon compte',
  deleteLead:
    'Votre nom, vos profils, votre historique et vos favoris disparaissent pour toujours. Ce que la comptabilité doit garder reste, sans votre nom.',
  deleteTitle: 'Supprimer votre compte ?',
  deleteText: 'Tout disparaît, tout de suite, et rien ne peut être retrouvé.',
  deleteConfirm: 'Supprimer pour toujours',
  deleteKeep: 'Garder mon compte',
  noPassword:
    'Vous vous connectez chez votre fournisseur d’identité : c’est là que se change votre mot de passe.',
}

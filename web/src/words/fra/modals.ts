export const modals = {
  close: 'Fermer',
  ok: 'D’accord',
  cancel: 'Annuler',
  confirm: 'Confirmer',
  continue: 'Continuer',
  code: 'Code {{code}}',
  required: 'Champ obligatoire',

  restrictPaymentTitle: 'Sur notre site',
  restrictPayment:
    'Cette application ne permet pas d’acheter. Abonnements et locations se font sur notre site.',
  restrictPaymentGo: 'Ouvrir le site',

  parentalCodeTitle: 'Code parental',
  parentalCode: 'Entrez les quatre chiffres du code parental de ce compte.',
  parentalCodeLabel: 'Code parental',
  parentalCodeDigits: 'Le code a quatre chiffres.',
  parentalCodeFailed: 'Le code n’a pas pu être vérifié. Réessayez dans un instant.',
  voucherTitle: 'Code promotionnel',
  voucher: 'Saisissez votre code tel que vous l’avez reçu.',
  voucherLabel: 'Code promotionnel',
  voucherFailed: 'Le code n’a pas pu être vérifié. Réessayez dans un instant.',

  downloadTitle: 'Regarder hors connexion',
  download:
    'Pour télécharger des titres sur cet ordinateur, il faut d’abord y installer le lecteur. Cela prend une minute.',
  downloadGo: 'Obtenir le lecteur',

  subscribeTitle: 'Choisissez votre offre',
  subscribe: 'Pour regarder {{title}}, choisissez une des offres qui le comprennent.',
  subscribeAny: 'Choisissez l’offre qui vous convient.',
  subscriptions: 'Abonnements',
  rentals: 'Locations et achats',
  noOffers: 'Aucune offre ne comprend ce titre pour l’instant.',

  switchProfileTitle: 'Qui regarde ?',
  switchProfile: 'Chacun a ses favoris et reprend là où il s’est arrêté.',
  activeProfile: 'Actif',
  kidProfile: 'Enfant',
  addProfile: 'Ajouter un profil',

  shareTitle: 'Partager',
  share: 'Envoyez {{title}} à quelqu’un qui va l’aimer.',
  shareLink: 'Lien',
  shareCopy: 'Copier le lien',
  shareCopied: 'Lien copié',
  shareCopyFailed: 'Le lien n’a pas pu être copié. Sélectionnez-le pour le copier vous-même.',
  shareEmail: 'Envoyer par e-mail',
  shareNative: 'Partager avec…',
  shareSubject: '{{title}} · {{name}}',
  shareBody: 'Je te conseille « {{title}} » : {{url}}',

  profileTitle: 'Profil',
  profile: 'Un profil garde ses propres favoris, sa progression et ses langues.',
  profileName: 'Nom du profil',
  profileSave: 'Enregistrer',

  manageDevicesTitle: 'Vos appareils',
  manageDevices:
    'Chaque appareil qui regarde compte. Retirez-en un que vous n’utilisez plus pour faire une place à celui-ci.',
  manageDevicesCount: '{{count}} appareils sur {{max}}',
  manageDevicesPage: 'Gérer mes appareils',
  deviceLaptop: 'Ordinateur',
  devicePhone: 'Téléphone',
  deviceTelevision: 'Téléviseur',
  deviceCurrent: 'Cet appareil',
  deviceLast: 'Dernière utilisation : {{date}}',
  deviceRemove: 'Retirer',
  deviceRemoveLabel: 'Retirer {{name}}',

  manageMediaTitle: 'Choisissez une version',
  manageMedia: '{{title}} existe en plusieurs versions.',
  mediaVersion: 'Version {{number}}',
  mediaAudio: 'Audio : {{languages}}',
  mediaSubtitles: 'Sous-titres : {{languages}}',
  mediaNoSubtitles: 'Sans sous-titres',

  addDeviceTitle: 'Ajouter un téléviseur',
  addDevice: 'Ouvrez l’application sur votre téléviseur, puis recopiez ici le code qu’il affiche.',
  addDeviceLabel: 'Code affiché à l’écran',
  addDeviceGo: 'Associer',
  addDeviceLoading: 'Association en cours…',
  addDeviceFailed: 'L’association a échoué',
  addDeviceFailedText: 'Vérifiez le code affiché, puis réessayez.',
  addDeviceRetry: 'Réessayer',
  addDeviceSuccess: 'C’est fait',
  addDeviceSuccessText: 'Votre téléviseur est associé à ce compte. Bonne séance.',

  resetPasswordTitle: 'Changer de mot de passe',
  resetPassword: 'Votre mot de passe se change chez votre fournisseur. Une page va s’ouvrir.',
  resetPasswordGo: 'Y aller',

  consentTitle: 'Vos données',
  consent:
    'Nous gardons ce que vous regardez pour que vous puissiez reprendre et pour vous conseiller. Rien n’est vendu. Acceptez-vous ?',
  consentLink: 'Lire la politique de confidentialité',
  consentAccept: 'Accepter',
  consentDecline: 'Refuser',

  paymentTitle: 'Moyen de paiement',
  payment: 'Choisissez comment payer. Rien n’est débité avant la confirmation.',
  noPaymentMethods: 'Aucun moyen de paiement n’est proposé pour l’instant.',

  aISummaryTitle: 'Ce qu’on en dit',
  aISummarySource: 'Résumé rédigé automatiquement à partir d’avis publiés.',
  sentimentPositive: 'On aime',
  sentimentNegative: 'On aime moins',
  reviews: 'Critiques',
  reviewRating: '{{rating}} sur 5',

  quotaLimitTitle: 'Plus assez de place',
  quotaLimit:
    'Votre espace d’enregistrement est plein. Une autre offre vous donne plus d’heures ; vous pouvez aussi supprimer des enregistrements.',
  quotaLimitGo: 'Voir les offres',

  suspendedTitle: 'Compte suspendu',
  suspended: 'Votre compte est suspendu. Contactez votre fournisseur de services.',
}

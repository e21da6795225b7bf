import { words } from '../words/words.ts'

const fra = {
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

/** The texts of the modals. */
export type ModalWords = typeof fra

const eng: ModalWords = {
  close: 'Close',
  ok: 'OK',
  cancel: 'Cancel',
  confirm: 'Confirm',
  continue: 'Continue',
  code: 'Code {{code}}',
  required: 'Required field',

  restrictPaymentTitle: 'On our website',
  restrictPayment: 'This app does not sell anything. Subscriptions and rentals are made on our website.',
  restrictPaymentGo: 'Open the website',

  parentalCodeTitle: 'Parental code',
  parentalCode: 'Enter the four digits of this account’s parental code.',
  parentalCodeLabel: 'Parental code',
  parentalCodeDigits: 'The code has four digits.',
  parentalCodeFailed: 'The code could not be checked. Please try again in a moment.',
  voucherTitle: 'Voucher code',
  voucher: 'Enter your code just as you received it.',
  voucherLabel: 'Voucher code',
  voucherFailed: 'The code could not be checked. Please try again in a moment.',

  downloadTitle: 'Watch offline',
  download: 'To download titles to this computer, install the player first. It takes a minute.',
  downloadGo: 'Get the player',

  subscribeTitle: 'Choose your plan',
  subscribe: 'To watch {{title}}, choose one of the offers that include it.',
  subscribeAny: 'Choose the offer that suits you.',
  subscriptions: 'Subscriptions',
  rentals: 'Rentals and purchases',
  noOffers: 'No offer includes this title at the moment.',

  switchProfileTitle: 'Who is watching?',
  switchProfile: 'Everyone has their own favourites and picks up where they stopped.',
  activeProfile: 'Active',
  kidProfile: 'Child',
  addProfile: 'Add a profile',

  shareTitle: 'Share',
  share: 'Send {{title}} to somebody who will love it.',
  shareLink: 'Link',
  shareCopy: 'Copy the link',
  shareCopied: 'Link copied',
  shareCopyFailed: 'The link could not be copied. Select it to copy it yourself.',
  shareEmail: 'Send by e-mail',
  shareNative: 'Share with…',
  shareSubject: '{{title}} · {{name}}',
  shareBody: 'You should watch “{{title}}”: {{url}}',

  profileTitle: 'Profile',
  profile: 'A profile keeps its own favourites, progress and languages.',
  profileName: 'Profile name',
  profileSave: 'Save',

  manageDevicesTitle: 'Your devices',
  manageDevices:
    'Every device that watches counts. Remove one that you no longer use to make room for this one.',
  manageDevicesCount: '{{count}} of {{max}} devices',
  manageDevicesPage: 'Manage my devices',
  deviceLaptop: 'Computer',
  devicePhone: 'Phone',
  deviceTelevision: 'Television',
  deviceCurrent: 'This device',
  deviceLast: 'Last used: {{date}}',
  deviceRemove: 'Remove',
  deviceRemoveLabel: 'Remove {{name}}',

  manageMediaTitle: 'Choose a version',
  manageMedia: '{{title}} comes in several versions.',
  mediaVersion: 'Version {{number}}',
  mediaAudio: 'Audio: {{languages}}',
  mediaSubtitles: 'Subtitles: {{languages}}',
  mediaNoSubtitles: 'No subtitles',

  addDeviceTitle: 'Add a television',
  addDevice: 'Open the app on your television, then enter the code that it shows.',
  addDeviceLabel: 'Code on the screen',
  addDeviceGo: 'Pair',
  addDeviceLoading: 'Pairing…',
  addDeviceFailed: 'Pairing failed',
  addDeviceFailedText: 'Check the code on the screen, then try again.',
  addDeviceRetry: 'Try again',
  addDeviceSuccess: 'All set',
  addDeviceSuccessText: 'Your television is paired with this account. Enjoy the show.',

  resetPasswordTitle: 'Change your password',
  resetPassword: 'Your password is changed at your provider. A page will open.',
  resetPasswordGo: 'Go there',

  consentTitle: 'Your data',
  consent:
    'We keep what you watch so that you can pick up where you stopped and get suggestions. Nothing is sold. Do you agree?',
  consentLink: 'Read the privacy policy',
  consentAccept: 'Accept',
  consentDecline: 'Decline',

  paymentTitle: 'Payment method',
  payment: 'Choose how to pay. Nothing is charged before you confirm.',
  noPaymentMethods: 'No payment method is offered at the moment.',

  aISummaryTitle: 'What people say',
  aISummarySource: 'A summary written automatically from published reviews.',
  sentimentPositive: 'Loved',
  sentimentNegative: 'Less so',
  reviews: 'Reviews',
  reviewRating: '{{rating}} out of 5',

  quotaLimitTitle: 'Out of space',
  quotaLimit:
    'Your recording space is full. Another offer gives you more hours; you can also delete recordings.',
  quotaLimitGo: 'See the offers',

  suspendedTitle: 'Account suspended',
  suspended: 'Your account is suspended. Please contact your service provider.',
}

declare module '../words/words.ts' {
  interface Texts {
    modals: ModalWords
  }
}

// They come with the first modal, not with the first page.
words('fra').addResourceBundle('fr', 'modals', fra)
words('eng').addResourceBundle('en', 'modals', eng)

import { lastResort } from './last-resort.ts'

export const errors = {
  ...lastResort,
  code: 'Code d’erreur',
  trace: 'Référence',
  retry: 'Réessayer',
  part: 'Impossible d’afficher cette partie de la page.',
  unexpected: 'Quelque chose n’a pas fonctionné de notre côté. Réessayez, ou revenez à l’accueil.',
  slowDown: 'Doucement !',
  // Pages show these errors also without an answer of the service, or when its answer is not in their language. The
  // texts of all other errors come with the answers. Written again, because an import of the contract's list would make
  // the first page larger.
  error5: 'Le service est momentanément indisponible. Réessayez dans un instant.',
  error429: 'Trop de tentatives. Veuillez réessayer plus tard.',
  error911: 'Ce code promotionnel n’est pas valable.',
  error503: 'Le service ne répond pas. Réessayez dans un instant.',
  offline: 'Le service ne répond pas. Vérifiez votre connexion, puis réessayez.',
  unavailableTitle: 'Contenu indisponible',
  unavailable: 'Désolé, ce contenu n’est actuellement pas disponible.',
  configurationUnreachable: 'Impossible de lire la configuration du service. Réessayez dans un instant.',
  crmUnreachable: 'Le service des comptes ne répond pas. Réessayez dans un instant.',
  linkExpired: 'Ce lien a expiré. Demandez-en un nouveau.',
  tokenMissing:
    'Une partie de son adresse manque. Ouvrez-le directement depuis le message reçu, ou demandez un nouveau lien.',
  loginNotAllowed: 'L’authentification unique n’est pas disponible. Contactez votre fournisseur de services.',
  authenticationFailed: 'La connexion a échoué. Réessayez.',
  noAccountForEmail: 'Aucun compte n’est associé à cette adresse e-mail.',
  signInInvalid: 'Informations de connexion invalides',
  tooManySessions: 'Nombre maximum de sessions simultanées atteint',
  offerIncompatible: 'Cette offre est incompatible avec votre abonnement actuel',
  nameExists: 'Ce nom existe déjà',
  countryInvalid: 'Pays non valide',
  profileLimit: 'Le nombre maximal de profils est atteint',
  passwordTooShort: 'Le mot de passe est trop court',
  passwordsMismatch: 'Les mots de passe ne correspondent pas',
  invalidCharacter: 'Le mot de passe contient un caractère non autorisé',
  passwordPolicy: 'Le nouveau mot de passe ne respecte pas les règles',
  passwordSameAsLast: 'Le nouveau mot de passe doit être différent de l’ancien',
  unknown: 'Erreur inconnue',
}

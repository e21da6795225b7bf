import type { BundledLanguage } from './languages.ts'

/** One error of the closed list. */
export interface ErrorDefinition {
  /**
   * The error code in answers, a negative number. The keys of texts use its absolute value (spec 40). The code of
   * a removed error is never used again.
   */
  code: number
  /** The matching HTTP status. */
  status: number
  /** The built-in text. Operators replace it as `errors.error{code}` of the storefront's texts (V2.4-23). */
  text: Record<BundledLanguage, string>
}

/**
 * All errors that a call can return (A8.1, A8.2, and Ondine's own). Errors of the specification have the numbers of the
 * specification. -400, -403, -404, -409, -410, -429, -502, -503 and -504 are Ondine's own, and repeat the HTTP status.
 * -505 to -514 are Ondine's own too. The errors of single sign-on have the numbers after -3000.
 */
export const ERRORS = {
  tokenInvalid: define(
    -1,
    401,
    'Votre session n’est plus valide. Reconnectez-vous.',
    'Your session is no longer valid. Please sign in again.',
  ),
  cacheWrite: define(-2, 500, 'Erreur d’écriture du cache.', 'Cache write error.'),
  temporarilyUnavailable: define(
    -5,
    503,
    'Le service est momentanément indisponible. Réessayez dans un instant.',
    'The service is temporarily unavailable. Please try again in a moment.',
  ),
  notImplemented: define(-7, 404, 'Cette opération n’existe pas.', 'There is no such operation.'),
  emptyList: define(-8, 404, 'La liste est vide.', 'The list is empty.'),
  channelNotFound: define(-10, 404, 'Chaîne introuvable.', 'Channel not found.'),
  noViewingRights: define(
    -11,
    403,
    'Votre abonnement ne comprend pas ce contenu.',
    'Your subscription doesn’t include this content.',
  ),
  newPasswordPolicy: define(
    -18,
    400,
    'Le nouveau mot de passe ne respecte pas les règles.',
    'The new password doesn’t meet the requirements.',
  ),
  newPasswordSame: define(
    -19,
    400,
    'Le nouveau mot de passe doit être différent de l’ancien.',
    'The new password must be different from the old one.',
  ),
  profileNameTaken: define(
    -30,
    409,
    'Un autre profil porte déjà ce nom.',
    'Another profile already has this name.',
  ),
  purchaseCodeRequired: define(
    -150,
    400,
    'Le code d’achat est obligatoire.',
    'The purchase code is required.',
  ),
  optionIdsMissing: define(-163, 400, 'Aucune offre n’a été choisie.', 'No offer was selected.'),
  casDeviceIdMissing: define(
    -165,
    400,
    'Il manque l’identifiant de l’appareil.',
    'The device identifier is missing.',
  ),
  deviceUniqueIdMissing: define(
    -167,
    400,
    'Il manque l’identifiant unique de l’appareil.',
    'The unique device identifier is missing.',
  ),
  countryInvalid: define(-181, 400, 'Pays non valide', 'Invalid country'),
  noDeviceLinked: define(
    -340,
    403,
    'Aucun appareil n’est lié à cette session.',
    'No device is linked to this session.',
  ),
  tooManyDevices: define(
    -411,
    403,
    'Vous avez atteint le nombre maximal d’appareils.',
    'You have reached the maximum number of devices.',
  ),
  tooManySessions: define(
    -440,
    403,
    'Nombre maximum de sessions simultanées atteint.',
    'Maximum number of simultaneous sessions reached.',
  ),
  ipRestricted: define(
    -451,
    403,
    'Ce contenu n’est pas disponible dans votre région.',
    'This content isn’t available in your region.',
  ),
  nothingToPay: define(-500, 400, 'Il n’y a rien à payer.', 'There is nothing to pay.'),
  invalidVoucher: define(
    -911,
    400,
    'Ce code promotionnel n’est pas valable.',
    'This voucher code isn’t valid.',
  ),
  usernameTaken: define(
    -1000,
    409,
    'Cette adresse e-mail est déjà utilisée.',
    'This e-mail address is already in use.',
  ),
  alreadySubscribed: define(
    -1102,
    409,
    'Vous avez déjà un abonnement actif.',
    'You already have an active subscription.',
  ),
  incompatibleOption: define(
    -1103,
    409,
    'Cette option est incompatible avec une autre option de votre commande.',
    'This option is incompatible with another option in your order.',
  ),
  cannotSelectMedia: define(
    -1506,
    400,
    'Cette version ne peut pas être choisie.',
    'This version can’t be selected.',
  ),
  idAudioLangRequired: define(
    -1507,
    400,
    'La langue audio est obligatoire.',
    'The audio language is required.',
  ),
  idSubtitleLangRequired: define(
    -1508,
    400,
    'La langue des sous-titres est obligatoire.',
    'The subtitle language is required.',
  ),
  noMediaFound: define(-1602, 404, 'Aucune vidéo n’a été trouvée.', 'No video was found.'),
  resourceNotActive: define(
    -1605,
    404,
    'Ce contenu n’est pas encore disponible, ou ne l’est plus.',
    'This content isn’t available yet, or is no longer available.',
  ),
  invalidAccessCode: define(-1612, 403, 'Le code d’accès est incorrect.', 'The access code is incorrect.'),
  invalidPurchaseCode: define(
    -1615,
    403,
    'Le code d’achat est incorrect.',
    'The purchase code is incorrect.',
  ),
  channelNotAllowed: define(
    -1721,
    403,
    'Votre abonnement ne comprend pas cette chaîne.',
    'Your subscription doesn’t include this channel.',
  ),
  paymentDataMissing: define(
    -2108,
    400,
    'Il manque les données de paiement.',
    'The payment data is missing.',
  ),
  paymentDataInvalid: define(
    -2109,
    400,
    'Les données de paiement ne sont pas valides.',
    'The payment data is not valid.',
  ),
  requiredOptionMissing: define(
    -2212,
    400,
    'Il manque une option obligatoire.',
    'A required option is missing.',
  ),
  optionAlreadyAdded: define(
    -2333,
    409,
    'Cette option est déjà dans votre commande.',
    'This option is already in your order.',
  ),
  accountNotActivated: define(
    -2334,
    403,
    'Votre compte n’est pas encore activé. Ouvrez le lien reçu par e-mail.',
    'Your account isn’t activated yet. Open the link we sent you by e-mail.',
  ),
  mixedOfferTypes: define(
    -2335,
    409,
    'Ces offres ne peuvent pas être achetées ensemble.',
    'These offers can’t be bought together.',
  ),
  optionOnlyOnce: define(
    -2336,
    409,
    'Cette option ne peut être souscrite qu’une fois.',
    'You can subscribe to this option only once.',
  ),
  licenceRefused: define(
    -2370,
    403,
    'L’autorisation de lecture a été refusée. Réessayez dans un instant.',
    'Permission to play was refused. Please try again in a moment.',
  ),
  invalidPairingCode: define(
    -1613,
    404,
    'Aucun téléviseur n’affiche ce code, ou il n’est plus valable. Vérifiez l’écran, puis réessayez.',
    'No TV is showing this code, or it’s no longer valid. Check the screen, then try again.',
  ),
  accountSuspended: define(
    -2409,
    403,
    'Votre compte est suspendu. Contactez votre fournisseur de services.',
    'Your account is suspended. Please contact your service provider.',
  ),
  signInFailed: define(-3000, 401, 'Informations de connexion invalides', 'Incorrect e-mail or password'),
  authenticationFailed: define(
    -3001,
    401,
    'La connexion a échoué. Réessayez.',
    'Sign-in didn’t work. Please try again.',
  ),
  signOnNotAllowed: define(
    -3002,
    403,
    'L’authentification unique n’est pas disponible. Contactez votre fournisseur de services.',
    'Single sign-on isn’t available. Please contact your service provider.',
  ),
  contentIdMissing: define(
    -3010,
    400,
    'Il manque l’identifiant du contenu.',
    'The content identifier is missing.',
  ),
  contentTypeMissing: define(-3011, 400, 'Il manque le type du contenu.', 'The content type is missing.'),
  tooManyProfiles: define(
    -3054,
    409,
    'Le nombre maximal de profils est atteint.',
    'Limit of profiles reached.',
  ),
  quotaContextNotFound: define(-4012, 404, 'Aucun quota n’est défini.', 'No quota is defined.'),
  offerIncompatible: define(
    -14005,
    409,
    'Cette offre est incompatible avec votre abonnement actuel',
    'This offer is incompatible with your current subscription',
  ),
  voucherUsed: define(
    -15004,
    400,
    'Ce code promotionnel a déjà été utilisé.',
    'This voucher code has already been used.',
  ),
  invalidInput: define(
    -400,
    400,
    'Certaines informations ne sont pas valides.',
    'Some of the information isn’t valid.',
  ),
  forbidden: define(-403, 403, 'Cette action n’est pas autorisée.', 'You don’t have permission to do that.'),
  notFound: define(-404, 404, 'Introuvable.', 'Not found.'),
  conflict: define(
    -409,
    409,
    'Ces informations viennent d’être modifiées ailleurs. Rechargez la page, puis réessayez.',
    'This has just been changed somewhere else. Reload the page, then try again.',
  ),
  linkExpired: define(
    -410,
    410,
    'Ce lien a expiré ou a déjà servi. Demandez-en un nouveau.',
    'This link has expired or has already been used. Request a new one.',
  ),
  slowDown: define(
    -429,
    429,
    'Trop de tentatives. Veuillez réessayer plus tard.',
    'Too many connection attempts. Please try later',
  ),
  unknownStorefront: define(-401, 401, 'Service inconnu.', 'Unknown service.'),
  identityProviderSilent: define(
    -502,
    502,
    'Le service de connexion ne répond pas. Réessayez dans un instant.',
    'The sign-in service isn’t responding. Please try again in a moment.',
  ),
  paymentProviderSilent: define(
    -505,
    502,
    'Le service de paiement ne répond pas. Rien n’a été débité. Réessayez dans un instant.',
    'The payment service isn’t responding. Nothing was charged. Please try again in a moment.',
  ),
  subscriptionServiceSilent: define(
    -506,
    502,
    'Le service d’abonnement ne répond pas. Réessayez dans un instant.',
    'The subscription service isn’t responding. Please try again in a moment.',
  ),
  subscriptionOfAnother: define(
    -507,
    409,
    'Cet abonnement est lié à un autre compte. Connectez-vous avec ce compte.',
    'This subscription is linked to another account. Please sign in with that account.',
  ),
  recordingForbidden: define(
    -508,
    403,
    'Ce programme ne peut pas être enregistré.',
    'This programme can’t be recorded.',
  ),
  startOverForbidden: define(
    -510,
    403,
    'Ce programme se regarde uniquement en direct.',
    'This programme can only be watched live.',
  ),
  recordingQuotaReached: define(
    -509,
    403,
    'Votre espace d’enregistrement est plein.',
    'Your recording space is full.',
  ),
  screenNotConnected: define(
    -511,
    409,
    'Cet écran n’est pas connecté. Ouvrez-y le service, puis réessayez.',
    'This screen isn’t connected. Open the service on it, then try again.',
  ),
  downloadForbidden: define(
    -512,
    403,
    'Ce titre ne peut pas être téléchargé.',
    'This title can’t be downloaded.',
  ),
  tooManyDownloads: define(
    -513,
    403,
    'Vous avez atteint le nombre maximal de titres téléchargés. Supprimez-en un.',
    'You’ve reached the maximum number of downloaded titles. Delete one of them.',
  ),
  tooManyDownloadDevices: define(
    -514,
    403,
    'Vos téléchargements occupent déjà le nombre maximal d’appareils. Supprimez ceux d’un appareil.',
    'Your downloads are already on the maximum number of devices. Delete those of one device.',
  ),
  channelSilent: define(
    -504,
    504,
    'Cette chaîne n’émet pas en ce moment. Réessayez dans un instant.',
    'This channel isn’t on air right now. Please try again in a moment.',
  ),
  internal: define(
    -503,
    500,
    'Le service ne répond pas. Réessayez dans un instant.',
    'The service isn’t responding. Please try again in a moment.',
  ),
} as const satisfies Record<string, ErrorDefinition>

export type ErrorName = keyof typeof ERRORS

/** Returns the error with a code; undefined for an unknown code. */
export function errorByCode(code: number): { name: ErrorName; definition: ErrorDefinition } | undefined {
  const found = Object.entries(ERRORS).find(([, definition]) => definition.code === code)
  return found && { name: found[0] as ErrorName, definition: found[1] }
}

function define(code: number, status: number, fra: string, eng: string): ErrorDefinition {
  return { code, status, text: { fra, eng } }
}

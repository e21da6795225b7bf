import type { BundledLanguage } from '@ondine/contract/languages'

/** Kinds of e-mails to an account's holder. */
export type EmailName =
  | 'activation'
  | 'password'
  | 'existing'
  | 'existingNoReset'
  | 'existingNoPassword'
  | 'signOn'
  | 'email'
  | 'passwordChanged'
  | 'emailChanged'
  | 'parentalCodeChanged'
  | SubscriptionEmail
  | 'receipt'
  | 'refund'
  | 'recordingsDropped'

/** Kinds of e-mails about a subscription. They contain the name of the plan, a day and an amount. */
export type SubscriptionEmail =
  | 'subscriptionCancelled'
  | 'subscriptionStopped'
  | 'subscriptionResumed'
  | 'paymentDeclined'
  | 'paymentUnconfirmed'
  | 'paymentWithoutCard'
  | 'paymentToConfirm'
  | 'subscriptionEnded'
  | 'subscriptionOver'
  | 'renewalAhead'
  | 'cardExpires'
  | 'changeNoted'
  | 'changeUndone'
  | 'priceChanges'
  | 'termsChange'

/**
 * Texts of an e-mail. Placeholders are `{name}`, the name of the service, `{first}`, the reader's first name, and
 * `{provider}`, the identity provider.
 * In an e-mail about a subscription, also `{plan}`, the name of the plan, `{date}`, `{time}`, the time of that date,
 * `{month}`, the last month before that date, `{amount}`, `{nextPlan}`, the plan of the next period, and `{before}`, the
 * previous price.
 */
export interface EmailTexts {
  subject: string
  title: string
  /**
   * Paragraphs. In an e-mail about dropped programmes, `{programmes}` is the placeholder for one paragraph per
   * programme.
   */
  text: readonly string[]
  /** Label of the button, if the e-mail has a link. */
  button?: string
  /** Small print at the end. */
  note: string
}

/** Texts at the beginning and the end of every e-mail. */
export const FRAME: Record<
  BundledLanguage,
  {
    hello: string
    helloNobody: string
    address: string
    sent: string
    /** Replaces `{provider}` if the configuration does not name the provider. */
    provider: string
  }
> = {
  fra: {
    hello: 'Bonjour {first},',
    helloNobody: 'Bonjour,',
    address: 'Le bouton ne fonctionne pas ? Copiez cette adresse dans votre navigateur :',
    sent: 'Ce message concerne votre compte {name}.',
    provider: 'l’authentification unique',
  },
  eng: {
    hello: 'Hello {first},',
    helloNobody: 'Hello,',
    address: 'Button not working? Copy this address into your browser:',
    sent: 'This message is about your {name} account.',
    provider: 'single sign-on',
  },
}

/** Texts of all e-mails in the service's built-in languages. */
export const EMAILS: Record<BundledLanguage, Record<EmailName, EmailTexts>> = {
  fra: {
    activation: {
      subject: 'Activez votre compte {name}',
      title: 'Bienvenue',
      text: ['Votre compte est presque prêt. Confirmez votre adresse e-mail pour l’activer.'],
      button: 'Activer mon compte',
      note: 'Ce lien est valable sept jours et ne peut être utilisé qu’une fois. Si vous n’avez pas créé de compte, ignorez ce message.',
    },
    password: {
      subject: 'Réinitialisez votre mot de passe {name}',
      title: 'Choisissez un nouveau mot de passe',
      text: [
        'Vous avez demandé à réinitialiser votre mot de passe. Choisissez-en un nouveau à l’aide du lien ci-dessous.',
      ],
      button: 'Choisir un mot de passe',
      note: 'Ce lien est valable une heure et ne peut être utilisé qu’une fois. Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe reste inchangé.',
    },
    existing: {
      subject: 'Vous avez déjà un compte {name}',
      title: 'Vous avez déjà un compte',
      text: [
        'Quelqu’un, sans doute vous, a essayé de créer un compte avec cette adresse, mais elle est déjà associée à un compte.',
        'Connectez-vous avec votre mot de passe, ou choisissez-en un nouveau.',
      ],
      button: 'Choisir un mot de passe',
      note: 'Ce lien est valable une heure et ne peut être utilisé qu’une fois. Si ce n’était pas vous, ignorez ce message : votre compte reste inchangé.',
    },
    existingNoReset: {
      subject: 'Vous avez déjà un compte {name}',
      title: 'Vous avez déjà un compte',
      text: [
        'Quelqu’un, sans doute vous, a essayé de créer un compte avec cette adresse, mais elle est déjà associée à un compte.',
        'Connectez-vous avec votre mot de passe.',
      ],
      button: 'Se connecter',
      note: 'Si ce n’était pas vous, ignorez ce message : votre compte reste inchangé.',
    },
    existingNoPassword: {
      subject: 'Vous avez déjà un compte {name}',
      title: 'Vous avez déjà un compte',
      text: [
        'Quelqu’un, sans doute vous, a essayé de créer un compte avec cette adresse, mais elle est déjà associée à un compte.',
        'Ce compte n’a pas de mot de passe. Pour y accéder, contactez l’assistance.',
      ],
      note: 'Si ce n’était pas vous, ignorez ce message : votre compte reste inchangé.',
    },
    signOn: {
      subject: 'Votre compte {name} n’a pas de mot de passe',
      title: 'Connectez-vous avec {provider}',
      text: [
        'Quelqu’un, sans doute vous, a demandé un nouveau mot de passe ou essayé de créer un compte avec cette adresse.',
        'Elle est déjà associée à un compte sans mot de passe : vous vous connectez avec {provider}.',
      ],
      note: 'Si ce n’était pas vous, ignorez ce message : votre compte reste inchangé.',
    },
    email: {
      subject: 'Confirmez votre nouvelle adresse e-mail',
      title: 'Confirmez votre adresse',
      text: [
        'Vous avez demandé à utiliser cette adresse pour votre compte {name}. Une fois confirmée, elle remplacera l’adresse actuelle.',
      ],
      button: 'Confirmer cette adresse',
      note: 'Ce lien est valable un jour et ne peut être utilisé qu’une fois. Tant que la nouvelle adresse n’est pas confirmée, l’ancienne reste valable.',
    },
    passwordChanged: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Mot de passe modifié',
      text: [
        'Le mot de passe de votre compte {name} vient d’être modifié. Vous devrez vous reconnecter sur vos autres appareils.',
      ],
      note: 'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe depuis la page de connexion.',
    },
    emailChanged: {
      subject: 'L’adresse e-mail de votre compte va changer',
      title: 'Changement d’adresse demandé',
      text: [
        'Un changement d’adresse e-mail a été demandé pour votre compte {name}. La nouvelle adresse remplacera celle-ci dès qu’elle aura été confirmée.',
      ],
      note: 'Si ce n’était pas vous, modifiez immédiatement votre mot de passe.',
    },
    parentalCodeChanged: {
      subject: 'Votre code parental a été modifié',
      title: 'Code parental modifié',
      text: ['Le code parental de votre compte {name} vient d’être modifié.'],
      note: 'Si ce n’était pas vous, modifiez votre mot de passe, puis le code parental.',
    },
    subscriptionCancelled: {
      subject: 'Votre abonnement {plan} est résilié',
      title: 'Résiliation confirmée',
      text: [
        'Votre abonnement {plan} ne sera pas renouvelé et plus rien ne sera prélevé.',
        'Vous en profitez jusqu’au {date}. D’ici là, vous pouvez le reprendre à tout moment.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si vous n’êtes pas à l’origine de cette demande, reprenez votre abonnement et modifiez votre mot de passe.',
    },
    subscriptionStopped: {
      subject: 'Votre abonnement {plan} est résilié',
      title: 'Résiliation confirmée',
      text: [
        'Votre abonnement {plan} a pris fin le {date} et plus rien ne sera prélevé.',
        'Vous pouvez vous abonner de nouveau à tout moment.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si vous n’êtes pas à l’origine de cette demande, modifiez votre mot de passe.',
    },
    subscriptionResumed: {
      subject: 'Votre abonnement {plan} continue',
      title: 'Votre abonnement continue',
      text: ['La résiliation est annulée. Votre abonnement {plan} sera renouvelé le {date} pour {amount}.'],
      button: 'Voir mes abonnements',
      note: 'Vous pouvez résilier à tout moment depuis votre compte.',
    },
    paymentDeclined: {
      subject: 'Le paiement de votre abonnement {plan} a été refusé',
      title: 'Paiement refusé',
      text: [
        'Votre banque a refusé le paiement de {amount} pour votre abonnement {plan}. Vous gardez votre accès pour le moment.',
        'Nous réessaierons le {date}. Vous pouvez aussi payer dès maintenant avec une autre carte.',
      ],
      button: 'Payer avec une autre carte',
      note: 'Si aucun paiement n’aboutit, l’abonnement prendra fin.',
    },
    paymentUnconfirmed: {
      subject: 'Le paiement de votre abonnement {plan} n’a pas été confirmé',
      title: 'Paiement non confirmé',
      text: [
        'Le paiement de {amount} pour votre abonnement {plan} n’a pas été confirmé à temps auprès de votre banque. Vous gardez votre accès pour le moment.',
        'Nous réessaierons le {date}. Vous pouvez aussi payer dès maintenant, avec la même carte ou une autre.',
      ],
      button: 'Payer maintenant',
      note: 'Si aucun paiement n’aboutit, l’abonnement prendra fin.',
    },
    paymentWithoutCard: {
      subject: 'Plus aucune carte n’est associée à votre abonnement {plan}',
      title: 'Aucune carte enregistrée',
      text: [
        'Nous n’avons pas pu prélever {amount} pour votre abonnement {plan} : vous n’avez plus de carte enregistrée. Vous gardez votre accès pour le moment.',
        'Payez avec une carte de votre choix, si possible avant le {date}.',
      ],
      button: 'Payer maintenant',
      note: 'Si aucun paiement n’aboutit, l’abonnement prendra fin.',
    },
    paymentToConfirm: {
      subject: 'Confirmez le paiement de votre abonnement {plan}',
      title: 'Votre banque demande une confirmation',
      text: [
        'Le paiement de {amount} pour votre abonnement {plan} doit être confirmé auprès de votre banque avant le {date} à {time}.',
      ],
      button: 'Confirmer le paiement',
      note: 'Vous gardez votre accès en attendant.',
    },
    subscriptionEnded: {
      subject: 'Votre abonnement {plan} a pris fin',
      title: 'Votre abonnement a pris fin',
      text: [
        'Nous n’avons pas pu encaisser {amount} pour votre abonnement {plan}. Il a pris fin le {date}.',
        'Vous pouvez vous abonner de nouveau à tout moment.',
      ],
      button: 'Voir mes abonnements',
      note: 'Plus rien ne sera prélevé pour cet abonnement.',
    },
    subscriptionOver: {
      subject: 'Votre abonnement {plan} a pris fin',
      title: 'Votre abonnement a pris fin',
      text: [
        'Votre abonnement {plan} a pris fin le {date}. Aucune carte n’était enregistrée pour son renouvellement : rien n’a été prélevé.',
        'Vous pouvez vous abonner de nouveau à tout moment.',
      ],
      button: 'Voir mes abonnements',
      note: 'Plus rien ne sera prélevé pour cet abonnement.',
    },
    renewalAhead: {
      subject: 'Votre abonnement {plan} sera renouvelé le {date}',
      title: 'Bientôt le renouvellement',
      text: [
        'Votre abonnement {plan} sera renouvelé le {date} pour {amount}.',
        'Si vous ne le souhaitez pas, résiliez-le avant cette date depuis votre compte : il n’y a pas de frais.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si vous souhaitez continuer, vous n’avez rien à faire.',
    },
    cardExpires: {
      subject: 'Votre carte bancaire expire bientôt',
      title: 'Votre carte expire bientôt',
      text: [
        'La carte qui paie votre abonnement {plan} expire fin {month}. Le prochain paiement sera de {amount}.',
        'Si ce paiement est refusé, vous pourrez payer avec votre nouvelle carte depuis votre compte.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si votre banque a déjà remplacé cette carte, vous n’avez rien à faire.',
    },
    changeNoted: {
      subject: 'Votre abonnement passe à {nextPlan} le {date}',
      title: 'Changement de formule confirmé',
      text: [
        'Votre abonnement {plan} passera à {nextPlan} le {date}, pour {amount}.',
        'Jusque-là, rien ne change, et vous pouvez revenir sur ce choix à tout moment.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si vous n’êtes pas à l’origine de cette demande, annulez ce changement et modifiez votre mot de passe.',
    },
    changeUndone: {
      subject: 'Vous gardez votre abonnement {plan}',
      title: 'Changement de formule annulé',
      text: ['Vous gardez votre abonnement {plan}. Il sera renouvelé le {date} pour {amount}.'],
      button: 'Voir mes abonnements',
      note: 'Vous pouvez changer de formule ou résilier à tout moment depuis votre compte.',
    },
    priceChanges: {
      subject: 'Le prix de votre abonnement {plan} change le {date}',
      title: 'Le prix de votre abonnement change',
      text: [
        'À partir du {date}, votre abonnement {plan} coûtera {amount} au lieu de {before} à chaque renouvellement. Jusque-là, rien ne change.',
        'Si ce prix ne vous convient pas, résiliez avant cette date depuis votre compte, à la page de vos abonnements : il n’y a pas de frais, et vous gardez votre accès jusqu’à la fin de la période payée.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si vous souhaitez continuer, vous n’avez rien à faire. Ce message remplace toute annonce précédente sur le prix de cet abonnement.',
    },
    termsChange: {
      subject: 'Votre abonnement {plan} évolue le {date}',
      title: 'Votre abonnement évolue',
      text: [
        'À partir du {date}, les nouvelles conditions de l’offre {plan} s’appliqueront à votre abonnement. Son prix reste de {amount}.',
        'Si elles ne vous conviennent pas, résiliez avant cette date depuis votre compte, à la page de vos abonnements : il n’y a pas de frais, et vous gardez votre accès jusqu’à la fin de la période payée.',
      ],
      button: 'Voir mes abonnements',
      note: 'Si vous souhaitez continuer, vous n’avez rien à faire. Ce message remplace toute annonce précédente sur le prix de cet abonnement.',
    },
    receipt: {
      subject: 'Votre reçu {name}',
      title: 'Merci pour votre achat',
      text: ['Votre paiement a bien été reçu. Vous trouverez votre reçu en pièce jointe.'],
      note: 'Vous retrouverez tous vos reçus dans votre compte.',
    },
    refund: {
      subject: 'Votre remboursement {name}',
      title: 'Vous avez été remboursé',
      text: [
        'Votre paiement vous a été remboursé. Vous trouverez l’avoir correspondant en pièce jointe.',
        'Selon votre banque, le montant apparaîtra sur votre relevé sous quelques jours.',
      ],
      note: 'Vous retrouverez tous vos reçus et avoirs dans votre compte.',
    },
    recordingsDropped: {
      subject: 'Vos enregistrements programmés changent',
      title: 'Le guide des programmes a changé',
      text: [
        'Vous aviez prévu d’enregistrer ce qui suit, mais le guide ne l’annonce plus, ou la chaîne n’en autorise plus l’enregistrement.',
        '{programmes}',
        'Si le guide change à nouveau, le programme pourra être enregistré comme prévu.',
      ],
      button: 'Voir mes enregistrements',
      note: 'Pour enregistrer une autre diffusion, ouvrez vos enregistrements programmés.',
    },
  },
  eng: {
    activation: {
      subject: 'Activate your {name} account',
      title: 'Welcome',
      text: ['Your account is almost ready. Confirm your e-mail address to activate it.'],
      button: 'Activate my account',
      note: 'This link is valid for seven days and can only be used once. If you didn’t create an account, please ignore this message.',
    },
    password: {
      subject: 'Reset your {name} password',
      title: 'Choose a new password',
      text: ['You asked to reset your password. Use the link below to choose a new one.'],
      button: 'Choose a password',
      note: 'This link is valid for one hour and can only be used once. If you didn’t request it, please ignore this message: your password stays the same.',
    },
    existing: {
      subject: 'You already have a {name} account',
      title: 'You already have an account',
      text: [
        'Someone, probably you, tried to create an account with this address, but it already has one.',
        'Sign in with your password, or choose a new one.',
      ],
      button: 'Choose a password',
      note: 'This link is valid for one hour and can only be used once. If this wasn’t you, please ignore this message: your account stays the same.',
    },
    existingNoReset: {
      subject: 'You already have a {name} account',
      title: 'You already have an account',
      text: [
        'Someone, probably you, tried to create an account with this address, but it already has one.',
        'Sign in with your password.',
      ],
      button: 'Sign in',
      note: 'If this wasn’t you, please ignore this message: your account stays the same.',
    },
    existingNoPassword: {
      subject: 'You already have a {name} account',
      title: 'You already have an account',
      text: [
        'Someone, probably you, tried to create an account with this address, but it already has one.',
        'This account has no password. To use it, contact support.',
      ],
      note: 'If this wasn’t you, please ignore this message: your account stays the same.',
    },
    signOn: {
      subject: 'Your {name} account has no password',
      title: 'Sign in with {provider}',
      text: [
        'Someone, probably you, asked for a new password or tried to create an account with this address.',
        'It already has an account without a password. You sign in with {provider}.',
      ],
      note: 'If this wasn’t you, please ignore this message: your account stays the same.',
    },
    email: {
      subject: 'Confirm your new e-mail address',
      title: 'Confirm your address',
      text: [
        'You asked to use this address for your {name} account. Once it’s confirmed, it will replace the current one.',
      ],
      button: 'Confirm this address',
      note: 'This link is valid for one day and can only be used once. Your old address stays in use until you confirm the new one.',
    },
    passwordChanged: {
      subject: 'Your password has been changed',
      title: 'Password changed',
      text: [
        'The password for your {name} account has just been changed. You’ll need to sign in again on your other devices.',
      ],
      note: 'If this wasn’t you, reset your password immediately from the sign-in page.',
    },
    emailChanged: {
      subject: 'The e-mail address for your account is about to change',
      title: 'Address change requested',
      text: [
        'A change of e-mail address was requested for your {name} account. The new address will replace this one once it’s confirmed.',
      ],
      note: 'If this wasn’t you, change your password immediately.',
    },
    parentalCodeChanged: {
      subject: 'Your parental code has been changed',
      title: 'Parental code changed',
      text: ['The parental code for your {name} account has just been changed.'],
      note: 'If this wasn’t you, change your password, and then the parental code.',
    },
    subscriptionCancelled: {
      subject: 'Your {plan} subscription is cancelled',
      title: 'Cancellation confirmed',
      text: [
        'Your {plan} subscription won’t renew, and you won’t be charged again.',
        'You can use it until {date}. You can resume it at any time until then.',
      ],
      button: 'See my subscriptions',
      note: 'If you didn’t ask for this, resume your subscription and change your password.',
    },
    subscriptionStopped: {
      subject: 'Your {plan} subscription is cancelled',
      title: 'Cancellation confirmed',
      text: [
        'Your {plan} subscription ended on {date}, and you won’t be charged again.',
        'You can subscribe again at any time.',
      ],
      button: 'See my subscriptions',
      note: 'If you didn’t ask for this, change your password.',
    },
    subscriptionResumed: {
      subject: 'Your {plan} subscription continues',
      title: 'Your subscription continues',
      text: ['You’ve resumed your {plan} subscription. It renews on {date} for {amount}.'],
      button: 'See my subscriptions',
      note: 'You can cancel at any time from your account.',
    },
    paymentDeclined: {
      subject: 'The payment for your {plan} subscription was declined',
      title: 'Payment declined',
      text: [
        'Your bank declined the payment of {amount} for your {plan} subscription. You keep your access for now.',
        'We’ll try again on {date}. You can also pay now with another card.',
      ],
      button: 'Pay with another card',
      note: 'If no payment goes through, the subscription will end.',
    },
    paymentUnconfirmed: {
      subject: 'The payment for your {plan} subscription wasn’t confirmed',
      title: 'Payment not confirmed',
      text: [
        'The payment of {amount} for your {plan} subscription wasn’t confirmed with your bank in time. You keep your access for now.',
        'We’ll try again on {date}. You can also pay now, with the same card or another one.',
      ],
      button: 'Pay now',
      note: 'If no payment goes through, the subscription will end.',
    },
    paymentWithoutCard: {
      subject: 'There’s no longer a card for your {plan} subscription',
      title: 'No saved card',
      text: [
        'We couldn’t charge {amount} for your {plan} subscription: you no longer have a saved card. You keep your access for now.',
        'Please pay with any card, if possible before {date}.',
      ],
      button: 'Pay now',
      note: 'If no payment goes through, the subscription will end.',
    },
    paymentToConfirm: {
      subject: 'Confirm the payment for your {plan} subscription',
      title: 'Your bank asks for a confirmation',
      text: [
        'The payment of {amount} for your {plan} subscription has to be confirmed with your bank before {date} at {time}.',
      ],
      button: 'Confirm the payment',
      note: 'You keep your access in the meantime.',
    },
    subscriptionEnded: {
      subject: 'Your {plan} subscription has ended',
      title: 'Your subscription has ended',
      text: [
        'We couldn’t collect {amount} for your {plan} subscription. It ended on {date}.',
        'You can subscribe again at any time.',
      ],
      button: 'See my subscriptions',
      note: 'You won’t be charged for this subscription again.',
    },
    subscriptionOver: {
      subject: 'Your {plan} subscription has ended',
      title: 'Your subscription has ended',
      text: [
        'Your {plan} subscription ended on {date}. There was no card to renew it with, so you weren’t charged.',
        'You can subscribe again at any time.',
      ],
      button: 'See my subscriptions',
      note: 'You won’t be charged for this subscription again.',
    },
    renewalAhead: {
      subject: 'Your {plan} subscription renews on {date}',
      title: 'Your renewal is coming up',
      text: [
        'Your {plan} subscription renews on {date} for {amount}.',
        'If you don’t want it to, cancel before that date from your account. It costs nothing.',
      ],
      button: 'See my subscriptions',
      note: 'If you’d like to continue, you don’t need to do anything.',
    },
    cardExpires: {
      subject: 'Your bank card expires soon',
      title: 'Your card expires soon',
      text: [
        'The card that pays for your {plan} subscription expires at the end of {month}. The next payment will be {amount}.',
        'If that payment is declined, you can pay with your new card from your account.',
      ],
      button: 'See my subscriptions',
      note: 'If your bank has already replaced this card, you don’t need to do anything.',
    },
    changeNoted: {
      subject: 'Your subscription changes to {nextPlan} on {date}',
      title: 'Change of plan confirmed',
      text: [
        'Your {plan} subscription changes to {nextPlan} on {date}, for {amount}.',
        'Nothing changes until then, and you can go back on this at any time.',
      ],
      button: 'See my subscriptions',
      note: 'If you didn’t ask for this, undo the change and change your password.',
    },
    changeUndone: {
      subject: 'You keep your {plan} subscription',
      title: 'Change of plan undone',
      text: ['You keep your {plan} subscription. It renews on {date} for {amount}.'],
      button: 'See my subscriptions',
      note: 'You can change your plan or cancel at any time from your account.',
    },
    priceChanges: {
      subject: 'The price of your {plan} subscription changes on {date}',
      title: 'The price of your subscription changes',
      text: [
        'From {date}, your {plan} subscription costs {amount} instead of {before} at each renewal. Nothing changes until then.',
        'If you don’t want to pay this price, cancel before that date from your account, on the page of your subscriptions. It costs nothing, and you keep your access until the end of the period you’ve paid for.',
      ],
      button: 'See my subscriptions',
      note: 'If you’d like to continue, you don’t need to do anything. This message replaces any earlier one about the price of this subscription.',
    },
    termsChange: {
      subject: 'Your {plan} subscription changes on {date}',
      title: 'Your subscription changes',
      text: [
        'From {date}, the new terms of the {plan} offer apply to your subscription. Its price stays {amount}.',
        'If you don’t agree with them, cancel before that date from your account, on the page of your subscriptions. It costs nothing, and you keep your access until the end of the period you’ve paid for.',
      ],
      button: 'See my subscriptions',
      note: 'If you’d like to continue, you don’t need to do anything. This message replaces any earlier one about the price of this subscription.',
    },
    receipt: {
      subject: 'Your {name} receipt',
      title: 'Thank you for your purchase',
      text: ['We’ve received your payment. Your receipt is attached.'],
      note: 'You can find all your receipts in your account.',
    },
    refund: {
      subject: 'Your {name} refund',
      title: 'You’ve been refunded',
      text: [
        'We’ve refunded your payment. The credit note is attached.',
        'Depending on your bank, the amount will appear on your statement within a few days.',
      ],
      note: 'You can find all your receipts and credit notes in your account.',
    },
    recordingsDropped: {
      subject: 'Your scheduled recordings are changing',
      title: 'The TV guide has changed',
      text: [
        'You planned to record the following, but the guide no longer lists it, or the channel no longer allows its recording.',
        '{programmes}',
        'If the guide changes again, the programme can still be recorded as planned.',
      ],
      button: 'See my recordings',
      note: 'To record another showing, open your scheduled recordings.',
    },
  },
}

/**
 * Texts about a dropped programme in an e-mail. Placeholders are `{title}`, `{channel}`, `{when}` for the
 * programme's start, and `{count}` for the number of programmes that the e-mail does not list.
 */
export const DROPPED_PROGRAMME: Record<
  BundledLanguage,
  { programme: string; next: string; noNext: string; more: string }
> = {
  fra: {
    programme: '« {title} », {when}, {channel}.',
    next: 'Prochaine diffusion : {when}, {channel}.',
    noNext: 'Aucune autre diffusion n’est annoncée pour le moment.',
    more: 'Autres programmes concernés : {count}.',
  },
  eng: {
    programme: '“{title}”, {when}, {channel}.',
    next: 'Next showing: {when}, {channel}.',
    noNext: 'No other showing is listed at the moment.',
    more: 'Other programmes affected: {count}.',
  },
}

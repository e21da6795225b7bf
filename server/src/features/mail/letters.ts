import type { BundledLanguage } from '@ondine/contract/languages'

/** What can be written to the holder of an account. */
export type LetterName = 'activation' | 'password' | 'existing' | 'email' | 'passwordChanged' | 'emailChanged'

/** The words of a letter. `{name}` is the service, `{first}` the reader, `{email}` an address. */
export interface LetterWords {
  subject: string
  title: string
  text: readonly string[]
  /** On the button, of a letter that has a link. */
  button?: string
  /** What is said below, quietly. */
  note: string
}

/** Around every letter. */
export const FRAME: Record<
  BundledLanguage,
  { hello: string; helloNobody: string; address: string; sent: string }
> = {
  fra: {
    hello: 'Bonjour {first},',
    helloNobody: 'Bonjour,',
    address: 'Le bouton ne répond pas ? Copiez cette adresse dans votre navigateur :',
    sent: 'Ce message vous est envoyé par {name} au sujet de votre compte.',
  },
  eng: {
    hello: 'Hello {first},',
    helloNobody: 'Hello,',
    address: 'Does the button not work? Copy this address into your browser:',
    sent: '{name} sends you this message about your account.',
  },
}

/** The letters in the languages that come with the service. */
export const LETTERS: Record<BundledLanguage, Record<LetterName, LetterWords>> = {
  fra: {
    activation: {
      subject: 'Activez votre compte {name}',
      title: 'Plus qu’un geste',
      text: ['Votre compte est prêt. Confirmez votre adresse e-mail pour l’activer.'],
      button: 'Activer mon compte',
      note: 'Ce lien est valable sept jours et ne sert qu’une fois. Si vous n’avez pas créé de compte, ignorez ce message.',
    },
    password: {
      subject: 'Votre nouveau mot de passe {name}',
      title: 'Un nouveau mot de passe',
      text: ['Vous avez demandé à choisir un nouveau mot de passe. C’est ici.'],
      button: 'Choisir un mot de passe',
      note: 'Ce lien est valable une heure et ne sert qu’une fois. Si la demande ne vient pas de vous, ignorez ce message : rien ne change.',
    },
    existing: {
      subject: 'Vous avez déjà un compte {name}',
      title: 'On se connaît déjà',
      text: [
        'Quelqu’un, sans doute vous, a voulu créer un compte avec cette adresse. Elle en a déjà un.',
        'Connectez-vous avec votre mot de passe, ou choisissez-en un nouveau.',
      ],
      button: 'Choisir un mot de passe',
      note: 'Ce lien est valable une heure et ne sert qu’une fois. Si ce n’était pas vous, ignorez ce message : rien ne change.',
    },
    email: {
      subject: 'Confirmez votre nouvelle adresse',
      title: 'Est-ce bien la vôtre ?',
      text: ['Confirmez cette adresse pour vous connecter désormais avec elle.'],
      button: 'Confirmer cette adresse',
      note: 'Ce lien est valable un jour et ne sert qu’une fois. Sans confirmation, l’ancienne adresse reste la bonne.',
    },
    passwordChanged: {
      subject: 'Votre mot de passe a changé',
      title: 'Mot de passe changé',
      text: [
        'Le mot de passe de votre compte {name} vient de changer. Vos autres appareils devront se reconnecter.',
      ],
      note: 'Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe sur l’écran de connexion.',
    },
    emailChanged: {
      subject: 'L’adresse de votre compte va changer',
      title: 'Nouvelle adresse demandée',
      text: [
        'Une nouvelle adresse e-mail a été demandée pour votre compte {name}. Elle comptera dès sa confirmation.',
      ],
      note: 'Si ce n’était pas vous, changez tout de suite votre mot de passe.',
    },
  },
  eng: {
    activation: {
      subject: 'Activate your {name} account',
      title: 'One last step',
      text: ['Your account is ready. Confirm your e-mail address to activate it.'],
      button: 'Activate my account',
      note: 'This link holds for seven days and works once. If you did not make an account, ignore this message.',
    },
    password: {
      subject: 'Your new {name} password',
      title: 'A new password',
      text: ['You asked to choose a new password. Here you go.'],
      button: 'Choose a password',
      note: 'This link holds for one hour and works once. If you did not ask for it, ignore this message: nothing changes.',
    },
    existing: {
      subject: 'You already have a {name} account',
      title: 'We have met before',
      text: [
        'Somebody, probably you, tried to make an account with this address. It has one already.',
        'Sign in with your password, or choose a new one.',
      ],
      button: 'Choose a password',
      note: 'This link holds for one hour and works once. If it was not you, ignore this message: nothing changes.',
    },
    email: {
      subject: 'Confirm your new address',
      title: 'Is this one yours?',
      text: ['Confirm this address to sign in with it from now on.'],
      button: 'Confirm this address',
      note: 'This link holds for one day and works once. Until it is confirmed, the old address stays.',
    },
    passwordChanged: {
      subject: 'Your password was changed',
      title: 'Password changed',
      text: [
        'The password of your {name} account was just changed. Your other devices will have to sign in again.',
      ],
      note: 'If it was not you, ask for a new password on the sign-in screen at once.',
    },
    emailChanged: {
      subject: 'The address of your account is about to change',
      title: 'New address asked for',
      text: ['A new e-mail address was asked for on your {name} account. It counts once it is confirmed.'],
      note: 'If it was not you, change your password at once.',
    },
  },
}

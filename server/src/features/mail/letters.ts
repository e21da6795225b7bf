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
    address: 'Le bouton ne fonctionne pas ? Copiez cette adresse dans votre navigateur :',
    sent: 'Ce message concerne votre compte {name}.',
  },
  eng: {
    hello: 'Hello {first},',
    helloNobody: 'Hello,',
    address: 'Button not working? Copy this address into your browser:',
    sent: 'This message is about your {name} account.',
  },
}

/** The letters in the languages that come with the service. */
export const LETTERS: Record<BundledLanguage, Record<LetterName, LetterWords>> = {
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
        'Vous avez demandé à réinitialiser votre mot de passe. Cliquez sur le bouton ci-dessous pour en choisir un nouveau.',
      ],
      button: 'Choisir un mot de passe',
      note: 'Ce lien est valable une heure et ne peut être utilisé qu’une fois. Si vous n’êtes pas à l’origine de cette demande, ignorez ce message : votre mot de passe reste inchangé.',
    },
    existing: {
      subject: 'Vous avez déjà un compte {name}',
      title: 'Vous avez déjà un compte',
      text: [
        'Quelqu’un, sans doute vous, a essayé de créer un compte avec cette adresse, qui est déjà associée à un compte.',
        'Connectez-vous avec votre mot de passe, ou choisissez-en un nouveau.',
      ],
      button: 'Choisir un mot de passe',
      note: 'Ce lien est valable une heure et ne peut être utilisé qu’une fois. Si ce n’était pas vous, ignorez ce message : votre compte reste inchangé.',
    },
    email: {
      subject: 'Confirmez votre nouvelle adresse',
      title: 'Confirmez votre adresse',
      text: [
        'Vous avez demandé à utiliser cette adresse pour votre compte {name}. Confirmez-la pour vous connecter avec elle.',
      ],
      button: 'Confirmer cette adresse',
      note: 'Ce lien est valable un jour et ne peut être utilisé qu’une fois. Tant que vous ne confirmez pas, votre ancienne adresse reste valable.',
    },
    passwordChanged: {
      subject: 'Votre mot de passe a été modifié',
      title: 'Mot de passe modifié',
      text: [
        'Le mot de passe de votre compte {name} vient d’être modifié. Vos autres appareils devront se reconnecter.',
      ],
      note: 'Si ce n’était pas vous, réinitialisez immédiatement votre mot de passe depuis la page de connexion.',
    },
    emailChanged: {
      subject: 'L’adresse de votre compte va changer',
      title: 'Changement d’adresse demandé',
      text: [
        'Un changement d’adresse e-mail a été demandé pour votre compte {name}. La nouvelle adresse remplacera celle-ci dès qu’elle aura été confirmée.',
      ],
      note: 'Si ce n’était pas vous, modifiez immédiatement votre mot de passe.',
    },
  },
  eng: {
    activation: {
      subject: 'Activate your {name} account',
      title: 'Welcome',
      text: ['Your account is almost ready. Confirm your e-mail address to activate it.'],
      button: 'Activate my account',
      note: 'This link is valid for seven days and can be used once. If you did not create an account, please ignore this message.',
    },
    password: {
      subject: 'Reset your {name} password',
      title: 'Choose a new password',
      text: ['You asked to reset your password. Use the button below to choose a new one.'],
      button: 'Choose a password',
      note: 'This link is valid for one hour and can be used once. If you did not request it, please ignore this message: your password stays the same.',
    },
    existing: {
      subject: 'You already have a {name} account',
      title: 'You already have an account',
      text: [
        'Someone, probably you, tried to create an account with this address, which already has one.',
        'Sign in with your password, or choose a new one.',
      ],
      button: 'Choose a password',
      note: 'This link is valid for one hour and can be used once. If this was not you, please ignore this message: your account stays the same.',
    },
    email: {
      subject: 'Confirm your new address',
      title: 'Confirm your address',
      text: [
        'You asked to use this address for your {name} account. Confirm it to sign in with it from now on.',
      ],
      button: 'Confirm this address',
      note: 'This link is valid for one day and can be used once. Your old address stays in use until you confirm.',
    },
    passwordChanged: {
      subject: 'Your password has been changed',
      title: 'Password changed',
      text: [
        'The password for your {name} account has just been changed. Your other devices will need to sign in again.',
      ],
      note: 'If this was not you, reset your password from the sign-in page immediately.',
    },
    emailChanged: {
      subject: 'Your account’s e-mail address is about to change',
      title: 'Address change requested',
      text: [
        'A change of e-mail address was requested for your {name} account. The new address replaces this one once it is confirmed.',
      ],
      note: 'If this was not you, change your password immediately.',
    },
  },
}

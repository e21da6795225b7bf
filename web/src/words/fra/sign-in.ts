export const signIn = {
  title: 'Se connecter',
  lead: 'Reprenez vos films là où vous les avez laissés.',
  email: 'Adresse e-mail',
  password: 'Mot de passe',
  submit: 'Se connecter',
  pending: 'Connexion…',
  demonstration: 'Version de démonstration',
  demonstrationLead: 'Choisissez un compte d’essai.',
  demonstrationPassword: 'Mot de passe : {{password}}',
  demonstrationSubscriber: 'Abonné, avec une formule et des reçus',
  demonstrationRenter: 'Locataire : une location en cours, une terminée',
  demonstrationSuspended: 'Compte suspendu',
}

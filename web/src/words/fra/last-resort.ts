/** The texts of the error page that the bare page shows too. It brings them along, and so they stand apart from all others. */
export const lastResort = {
  title: 'Une erreur est survenue',
  // With its firm space: the bare pages show it as it stands.
  retryText: 'Une erreur est survenue. Voulez-vous réessayer\u00A0?',
  back: 'Retour à l’accueil',
}

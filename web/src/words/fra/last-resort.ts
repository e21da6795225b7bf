/**
 * Texts of the error page and of the bare page, which appears if even the error page fails. They have their own
 * file, because the bare page imports only these texts.
 */
export const lastResort = {
  title: 'Une erreur est survenue',
  // Contains a no-break space, because the bare page shows the text without the French typography that the service
  // adds.
  retryText: 'Une erreur est survenue. Voulez-vous réessayer\u00A0?',
  back: 'Retour à l’accueil',
}

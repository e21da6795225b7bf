/**
 * Texts of the error page that the bare page shows too. They have their own file, because the bare page
 * imports only these texts.
 */
export const lastResort = {
  title: 'Une erreur est survenue',
  // Contains its no-break space already, because the bare page shows the text unchanged.
  retryText: 'Une erreur est survenue. Voulez-vous réessayer\u00A0?',
  back: 'Retour à l’accueil',
}

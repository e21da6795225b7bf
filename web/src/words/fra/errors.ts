export const errors = {
  title: 'Une erreur est survenue',
  code: 'Code d’erreur',
  retry: 'Réessayer',
  back: 'Retour à l’accueil',
  error5: 'Le service est momentanément indisponible. Réessayez dans un instant.',
  error429: 'Trop de tentatives. Veuillez réessayer plus tard.',
  error500: 'Une erreur est survenue. Voulez-vous réessayer ?',
  error503: 'Le service ne répond pas. Réessayez dans un instant.',
  offline: 'Aucune réponse du service. Vérifiez votre connexion, puis réessayez.',
}

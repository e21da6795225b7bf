export const registrationSteps = {
  'register-informations': 'Vos informations',
  'register-offers': 'Offre',
  'register-summary': 'Récapitulatif',
  'register-confirmation': 'Confirmation',
}

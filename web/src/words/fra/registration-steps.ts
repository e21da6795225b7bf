export const registrationSteps = {
  'register-informations': 'Vos informations',
  'register-offers': 'Formule',
  'register-summary': 'Récapitulatif',
  'register-confirmation': 'Confirmation',
}

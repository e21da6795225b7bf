export const receiver = {
  title: 'Récepteur',
  ready: 'Prêt à diffuser',
  text: 'Choisissez un programme sur votre téléphone ou votre ordinateur.',
  pair: 'Associer cet écran à un compte',
}

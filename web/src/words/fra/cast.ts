export const cast = {
  controller: 'Lecture sur un autre écran',
  choose: 'Lire sur un autre écran',
  screens: 'Lire sur',
  here: 'Cet appareil',
  google: 'Un appareil Google Cast',
  notConnected: '{{device}} (ouvrez-y le service)',
  screen: 'votre écran',
  nothing: 'Rien en cours',
  playsOn: 'Sur {{device}}',
  lost: '{{device}} ne répond plus',
  upNext: 'À suivre : {{title}}',
  stop: 'Arrêter la diffusion',
}

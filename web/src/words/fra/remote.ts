export const remote = {
  title: 'Télécommande',
  up: 'Haut',
  down: 'Bas',
  left: 'Gauche',
  right: 'Droite',
  ok: 'OK',
  back: 'Retour',
}

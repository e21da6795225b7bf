/** Texts that tell a child that a page is above its level, by the kind of content. */
export const aboveLevel = {
  asset: 'Cette vidéo n’est pas encore pour toi',
  category: 'Cette série n’est pas encore pour toi',
  channel: 'Cette chaîne n’est pas encore pour toi',
  event: 'Cette émission n’est pas encore pour toi',
  text: 'C’est pour les plus grands : choisis autre chose, ou demande à un adulte.',
  askGrownUp: 'Demander à un adulte',
}

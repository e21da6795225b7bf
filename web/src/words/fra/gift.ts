export const gift = {
  heading: 'Un cadeau ?',
  lead: 'Un code cadeau donne accès à une formule pendant quelques mois, sans carte bancaire.',
  enter: 'J’ai un code cadeau',
  redeem: 'Utiliser le code',
  title: 'Votre cadeau est là !',
  text_one: '{{title}}, pendant {{count}} mois : du {{from}} au {{to}}. Rien ne sera prélevé.',
  text_other: '{{title}}, pendant {{count}} mois : du {{from}} au {{to}}. Rien ne sera prélevé.',
  invalid: 'Ce code cadeau n’est pas valable.',
  used: 'Ce code cadeau a déjà été utilisé.',
  list: 'Cadeaux',
  until: 'Cadeau : disponible du {{from}} au {{to}}',
}

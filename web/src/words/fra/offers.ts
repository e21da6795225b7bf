export const offers = {
  elsewhereTitle: 'Votre place vous attend',
  elsewhere: 'Abonnez-vous dans notre boutique, puis revenez ici pour regarder.',
  subscribe: 'S’abonner',
  closedTitle: 'Aucune offre en ce moment',
  closed: 'Rien n’est en vente pour l’instant. Le catalogue reste accessible.',
  toCatalogue: 'Voir le catalogue',
}

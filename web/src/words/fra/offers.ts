export const offers = {
  elsewhereTitle: 'Votre place vous attend',
  elsewhere: 'L’abonnement se prend dans notre boutique. Revenez ensuite ici pour regarder.',
  subscribe: 'S’abonner',
  closedTitle: 'Aucune offre en ce moment',
  closed: 'Rien n’est en vente pour l’instant. Le catalogue, lui, reste ouvert.',
  toCatalogue: 'Voir le catalogue',
}

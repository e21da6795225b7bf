/** Texts for children: short, with "tu", and without offers. */
export const child = {
  greeting: 'Coucou {{name}} !',
  lead: 'Qu’est-ce qu’on regarde aujourd’hui ?',
  live: 'À la télé en ce moment',
  continue: 'La suite de tes histoires',
  favourites: 'Tes préférés',
  new: 'Tout nouveau',
  leaving: 'À voir avant que ça parte',
  selection: 'À découvrir',
  empty: 'Il n’y a rien à regarder pour le moment. Reviens bientôt !',
  locked: 'Demande à un adulte si tu veux regarder ça.',
  notFound: 'Cherche ce que tu veux regarder, ou retourne à l’accueil.',
  back: 'Retour à l’accueil',
}

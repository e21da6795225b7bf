export const play = {
  play: 'Lecture',
  resume: 'Reprendre à {{position}}',
  episode: 'Lecture S{{season}} É{{episode}}',
  resumeEpisode: 'Reprendre S{{season}} É{{episode}}',
  watchLive: 'Regarder en direct',
  connect: 'Se connecter',
  connectLabel: 'Se connecter pour regarder {{title}}',
  trailer: 'Bande-annonce',
  preparing: 'Bientôt disponible · {{percent}} %',
  failed: 'Ce contenu n’a pas pu être préparé.',
  locked: 'Votre abonnement ne comprend pas ce titre.',
  lockedChannel: 'Votre abonnement ne comprend pas cette chaîne.',
}

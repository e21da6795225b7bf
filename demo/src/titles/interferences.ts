import type { Film } from '../title.ts'

export const interferences: Film = {
  kind: 'film',
  id: 'interferences',
  number: 11,
  world: 'moire',
  title: 'Interférences',
  originalTitle: 'Interférences',
  englishTitle: 'Interferences',
  plot: {
    fra: 'Deux réseaux de lignes, cent vingt battements à la minute. Un concert filmé sans musiciens, où l’image joue la basse et l’œil fait la mélodie.',
    eng: 'Two sheets of lines, one hundred and twenty beats a minute. A concert film without musicians, in which the picture plays the bass and the eye makes up the tune.',
  },
  tagline: { fra: 'Rien ne bouge, sauf ce que vous voyez.', eng: 'Nothing moves, except what you see.' },
  year: 2025,
  premiered: '2025-05-30',
  age: 10,
  genres: ['Musique', 'Expérimental'],
  director: 'Oksana Riedl',
  writer: 'Oksana Riedl',
  composer: 'Duo Battement',
  actors: [
    { name: 'Duo Battement', role: 'Les machines' },
    { name: 'Lys Ferreira', role: 'La voix' },
  ],
  studio: 'Trame Pure',
  rating: 7.4,
  votes: 1622,
  tags: {
    fra: ['électronique', 'concert', 'abstrait'],
    eng: ['electronic', 'concert', 'abstract'],
  },
  lettering: {
    lines: { fra: ['Inter', 'férences'], eng: ['Inter', 'ferences'] },
    colour: '#ffffff',
    align: 'left',
    place: 'bottom',
    size: 0.26,
    veil: '#0b1020',
  },
  stills: { poster: 0.12, fanart: 0.1, landscape: 0.36, trailer: [0.06, 0.2, 0.36, 0.6, 0.82] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Cercles' },
    { at: 0.25, title: 'Rayons' },
    { at: 0.5, title: 'Spirale' },
    { at: 0.75, title: 'Vagues' },
  ],
  narration: [
    { fra: 'Première règle : une ligne ne fait pas de bruit.', eng: 'Rule one: a line makes no sound.' },
    { fra: 'Deux lignes, non plus. Mais entre les deux…', eng: 'Nor do two lines. But between the two…' },
    { fra: 'Écoutez avec le coin de l’œil.', eng: 'Listen with the corner of your eye.' },
    {
      fra: 'Ce battement n’est sur aucune des deux feuilles.',
      eng: 'That pulse is on neither of the two sheets.',
    },
    { fra: 'Il est à vous. Vous venez de l’inventer.', eng: 'It is yours. You have just made it up.' },
    {
      fra: 'Un rayon, puis cent soixante-huit. Soleil de papier.',
      eng: 'One ray, then one hundred and sixty-eight. A paper sun.',
    },
    {
      fra: 'Tournez la tête : le morceau change de tonalité.',
      eng: 'Turn your head: the piece changes key.',
    },
    {
      fra: 'Spirale : le chemin le plus court pour ne pas arriver.',
      eng: 'Spiral: the shortest way of not arriving.',
    },
    {
      fra: 'Ne cherchez pas le centre. Il vous cherche.',
      eng: 'Don’t look for the centre. It is looking for you.',
    },
    {
      fra: 'Dernier mouvement. Deux mers, l’une sur l’autre.',
      eng: 'Last movement. Two seas, one upon the other.',
    },
    { fra: 'Fermez les yeux : ça continue.', eng: 'Close your eyes: it goes on.' },
  ],
  trailerNumber: 51,
}

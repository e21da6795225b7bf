import type { Film } from '../title.ts'

export const apogee: Film = {
  kind: 'film',
  id: 'apogee',
  number: 6,
  world: 'orbits',
  title: 'Apogée',
  originalTitle: 'Apogée',
  englishTitle: 'Apogee',
  plot: {
    fra: 'La station Apogée ne redescend qu’une fois tous les dix-neuf ans. À son bord, une mécanicienne répare une horloge dont personne ne lui a dit l’usage.',
    eng: 'The Apogee station comes down only once every nineteen years. On board, a mechanic repairs a clock, and nobody has told her what it is for.',
  },
  tagline: {
    fra: 'Au point le plus haut, plus rien ne tombe.',
    eng: 'At the highest point, nothing falls any more.',
  },
  year: 2025,
  premiered: '2025-06-13',
  age: 12,
  genres: ['Science-fiction', 'Drame'],
  director: 'Léonor Vasquez-Roy',
  writer: 'Samir Haddad',
  composer: 'Astrid Norell',
  actors: [
    { name: 'Camille Obrecht', role: 'La mécanicienne' },
    { name: 'Kenji Moreau', role: 'La voix de la Terre' },
    { name: 'Ada', role: 'L’horloge' },
  ],
  studio: 'Périgée Productions',
  rating: 8.4,
  votes: 4710,
  tags: {
    fra: ['espace', 'planète', 'solitude'],
    eng: ['space', 'planet', 'solitude'],
  },
  lettering: {
    lines: { fra: ['Apogée'], eng: ['Apogee'] },
    colour: '#ffe2b8',
    align: 'center',
    place: 'bottom',
    size: 0.27,
  },
  stills: { poster: 0.62, fanart: 0.5, landscape: 0.48, trailer: [0.08, 0.3, 0.48, 0.64, 0.84] },
  durationSeconds: 48,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Dix-neuf ans' },
    { at: 0.3, title: 'L’horloge' },
    { at: 0.6, title: 'Le point haut' },
    { at: 0.85, title: 'La descente' },
  ],
  narration: [
    {
      fra: 'Jour six mille deux cent quatre. La géante est orange, comme tous les mardis.',
      eng: 'Day six thousand two hundred and four. The giant is orange, as it is every Tuesday.',
    },
    {
      fra: '— Apogée, ici la Terre. Tout va bien ?',
      eng: '— Apogee, this is Earth. Is everything all right?',
    },
    { fra: '— Tout tourne. C’est presque pareil.', eng: '— Everything is turning. It’s almost the same.' },
    {
      fra: 'La réponse met quarante minutes. J’ai le temps de vieillir un peu.',
      eng: 'An answer takes forty minutes. I have time to age a little.',
    },
    {
      fra: 'L’horloge avance d’une seconde par orbite. Je l’ai démontée neuf fois.',
      eng: 'The clock gains one second every orbit. I have taken it apart nine times.',
    },
    {
      fra: 'Chaque fois, elle remarche avant que je la remonte.',
      eng: 'Each time it starts again before I put it back together.',
    },
    {
      fra: 'Les anneaux ne sont que des cailloux qui ont trouvé une raison.',
      eng: 'The rings are only pebbles that found a reason.',
    },
    {
      fra: '— Apogée, vous approchez du point haut. Que voyez-vous ?',
      eng: '— Apogee, you are nearing the highest point. What do you see?',
    },
    {
      fra: 'Au point haut, on ne monte plus, on ne descend pas encore.',
      eng: 'At the highest point you no longer rise and do not yet fall.',
    },
    { fra: 'L’horloge s’est arrêtée. Pile à l’heure.', eng: 'The clock stopped. Right on time.' },
    {
      fra: '— Je vois que c’était un compte à rebours. Et qu’il est fini.',
      eng: '— I see that it was a countdown. And that it’s over.',
    },
    { fra: '— Et alors ? — Alors je rentre.', eng: '— And so? — So I’m coming home.' },
  ],
  trailerNumber: 46,
}

import type { Film } from '../title.ts'

export const leMarais: Film = {
  kind: 'film',
  id: 'le-marais',
  number: 12,
  world: 'reeds',
  title: 'Le Marais',
  originalTitle: 'Le Marais',
  englishTitle: 'The Marsh',
  plot: {
    fra: 'Un héron attend. Le brouillard attend aussi. Entre eux, le marais raconte à voix basse ce qui s’est passé pendant la nuit.',
    eng: 'A heron is waiting. So is the fog. Between them the marsh tells, in a low voice, what happened in the night.',
  },
  tagline: {
    fra: 'Il ne se passe rien, et c’est très fréquenté.',
    eng: 'Nothing happens here, and it is very busy.',
  },
  year: 2021,
  premiered: '2021-05-12',
  age: 7,
  genres: ['Nature', 'Conte'],
  director: 'Honorine Lacombe',
  writer: 'Aubin Desroches',
  composer: 'Irène Salgado',
  actors: [
    { name: 'Aubin Desroches', role: 'Le marais' },
    { name: 'Honorine Lacombe', role: 'Le héron' },
  ],
  studio: 'Studio Rivage',
  rating: 7.6,
  votes: 1187,
  set: 'Les heures bleues',
  tags: {
    fra: ['oiseaux', 'brume', 'matin'],
    eng: ['birds', 'mist', 'morning'],
  },
  lettering: {
    lines: { fra: ['Le', 'Marais'], eng: ['The', 'Marsh'] },
    colour: '#143a33',
    align: 'left',
    place: 'top',
    size: 0.3,
    veil: '#dfe9d0',
  },
  stills: { poster: 0.36, fanart: 0.4, landscape: 0.58, trailer: [0.08, 0.24, 0.4, 0.58, 0.67] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Brume' },
    { at: 0.3, title: 'Le héron' },
    { at: 0.62, title: 'L’envol' },
    { at: 0.86, title: 'Plein jour' },
  ],
  narration: [
    {
      fra: 'Bonjour. Je suis le marais. Parlez doucement, j’ai de la brume sur le feu.',
      eng: 'Good morning. I am the marsh. Speak softly, I have mist on the stove.',
    },
    {
      fra: 'Cette nuit, une grenouille a chanté faux. On en parle encore.',
      eng: 'Last night a frog sang out of tune. They are still talking about it.',
    },
    {
      fra: 'Le héron est arrivé à quatre heures. Il n’a pas bougé depuis.',
      eng: 'The heron came at four. He has not moved since.',
    },
    { fra: 'On croit qu’il pêche. Il réfléchit.', eng: 'People think he is fishing. He is thinking.' },
    {
      fra: 'Trois canards en retard passent sans excuse.',
      eng: 'Three ducks pass by, late, without apology.',
    },
    {
      fra: 'Les roseaux disent oui à tout ce que dit le vent.',
      eng: 'The reeds say yes to whatever the wind says.',
    },
    { fra: 'Moi, je dis : on verra.', eng: 'I say: we shall see.' },
    {
      fra: 'Ah. Il a trouvé ce qu’il cherchait à penser.',
      eng: 'Ah. He has found what he was trying to think.',
    },
    {
      fra: 'Regardez : une idée qui s’envole, c’est lent et gris.',
      eng: 'Look: an idea taking wing is slow and grey.',
    },
    {
      fra: 'Il reviendra demain. Les bonnes idées reviennent.',
      eng: 'He will be back tomorrow. Good ideas come back.',
    },
    {
      fra: 'Le soleil est levé. Je vais faire semblant de dormir.',
      eng: 'The sun is up. I shall pretend to sleep.',
    },
  ],
  trailerNumber: 52,
}

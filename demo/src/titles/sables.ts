import type { Film } from '../title.ts'

export const sables: Film = {
  kind: 'film',
  id: 'sables',
  number: 7,
  world: 'dunes',
  title: 'Sables',
  originalTitle: 'Sables',
  englishTitle: 'Sands',
  plot: {
    fra: 'Une caravane transporte une seule chose : une porte. Le désert, lui, change de forme chaque nuit pour l’empêcher d’arriver quelque part où la poser.',
    eng: 'A caravan carries just one thing: a door. Every night the desert changes shape, to keep it from ever reaching a place to set it down.',
  },
  tagline: {
    fra: 'On ne traverse pas un désert, on le persuade.',
    eng: 'You do not cross a desert. You persuade it.',
  },
  year: 2023,
  premiered: '2023-03-15',
  age: 12,
  genres: ['Aventure', 'Conte'],
  director: 'Yasmine Ouardi',
  writer: 'Yasmine Ouardi',
  composer: 'Nadir Chelbi',
  actors: [
    { name: 'Idriss Amara', role: 'Le guide' },
    { name: 'Lalla Bensaïd', role: 'La menuisière' },
    { name: 'Tin Ajjer', role: 'La chamelle blanche' },
  ],
  studio: 'Erg Cinéma',
  rating: 7.7,
  votes: 2210,
  tags: {
    fra: ['désert', 'voyage', 'conte'],
    eng: ['desert', 'journey', 'tale'],
  },
  lettering: {
    lines: { fra: ['Sables'], eng: ['Sands'] },
    colour: '#4a1a20',
    align: 'center',
    place: 'top',
    size: 0.34,
    billing: '#ffe3bd',
  },
  stills: { poster: 0.42, fanart: 0.4, landscape: 0.46, trailer: [0.1, 0.3, 0.46, 0.58, 0.86] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'La porte' },
    { at: 0.33, title: 'Le deuxième jour' },
    { at: 0.6, title: 'Le vent négocie' },
    { at: 0.85, title: 'Là' },
  ],
  narration: [
    {
      fra: 'Sept bêtes, trois personnes, une porte. Pas de maison.',
      eng: 'Seven animals, three people, one door. No house.',
    },
    {
      fra: '— Pourquoi une porte ? — Parce que le reste se trouve sur place.',
      eng: '— Why a door? — Because everything else can be found there.',
    },
    {
      fra: 'La dune de ce matin n’est pas celle d’hier. Elle fait semblant.',
      eng: 'This morning’s dune is not yesterday’s. It is pretending.',
    },
    {
      fra: 'Le guide parle au sable. Le sable fait des manières.',
      eng: 'The guide talks to the sand. The sand puts on airs.',
    },
    {
      fra: '— Que dit-il ? — Qu’il était mer, et qu’on ne lui parle pas ainsi.',
      eng: '— What does it say? — That it used to be a sea, and is not spoken to like that.',
    },
    {
      fra: 'La menuisière a poncé la porte tout le long. Elle pèse un peu moins chaque soir.',
      eng: 'The carpenter has been sanding the door all the way. It weighs a little less each evening.',
    },
    { fra: 'Au coucher, nos ombres arrivent avant nous.', eng: 'At sunset our shadows arrive before we do.' },
    { fra: '— Ici ? — Non. Ici, c’est encore ailleurs.', eng: '— Here? — No. Here is still elsewhere.' },
    {
      fra: 'La chamelle blanche s’est couchée. C’est ainsi que l’on fonde les villes.',
      eng: 'The white camel lay down. That is how cities are founded.',
    },
    { fra: 'Nous avons dressé la porte contre la nuit.', eng: 'We stood the door up against the night.' },
    { fra: 'Quelqu’un a frappé. De l’autre côté.', eng: 'Someone knocked. From the other side.' },
  ],
  trailerNumber: 47,
}

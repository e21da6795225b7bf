import type { Film } from '../title.ts'

export const cielsDuNord: Film = {
  kind: 'film',
  id: 'ciels-du-nord',
  number: 2,
  world: 'aurora',
  title: 'Ciels du nord',
  originalTitle: 'Ciels du nord',
  englishTitle: 'Northern Skies',
  plot: {
    fra: 'Chaque hiver, une astronome retraitée rallume le poêle d’une cabane et attend. Ce qu’elle attend ne se montre pas chaque année. Cette nuit, le lac s’éclaire avant le ciel.',
    eng: 'Every winter a retired astronomer lights the stove in a cabin and waits. What she is waiting for does not come every year. Tonight the lake lights up before the sky does.',
  },
  tagline: {
    fra: 'Il faut du noir, beaucoup de noir, pour que la lumière ose.',
    eng: 'It takes the dark, a great deal of dark, before the light will dare.',
  },
  year: 2025,
  premiered: '2025-12-05',
  age: 0,
  genres: ['Documentaire', 'Nature'],
  director: 'Aslak Nygård',
  writer: 'Inga Sand',
  composer: 'Ivo Lindqvist',
  actors: [
    { name: 'Marit Halvorsen', role: 'L’astronome' },
    { name: 'Joël Tessier', role: 'Le facteur' },
    { name: 'Lune Aubin', role: 'L’enfant' },
  ],
  studio: 'Studio Rivage',
  rating: 8.9,
  votes: 5120,
  set: 'Les heures bleues',
  tags: {
    fra: ['aurore', 'nuit', 'hiver', 'lac'],
    eng: ['aurora', 'night', 'winter', 'lake'],
  },
  lettering: {
    lines: { fra: ['Ciels', 'du nord'], eng: ['Northern', 'Skies'] },
    colour: '#d8fff0',
    align: 'center',
    place: 'top',
    size: 0.25,
  },
  stills: { poster: 0.6, fanart: 0.35, landscape: 0.62, trailer: [0.1, 0.34, 0.48, 0.62, 0.72] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'La cabane' },
    { at: 0.3, title: 'Premier voile' },
    { at: 0.55, title: 'Les grandes draperies' },
    { at: 0.85, title: 'Avant l’aube' },
  ],
  narration: [
    {
      fra: 'La cabane n’a pas l’électricité. C’est pour cela qu’on la voit de si loin.',
      eng: 'The cabin has no electricity. That is why you can see it from so far away.',
    },
    {
      fra: 'J’ai passé quarante ans à compter les étoiles. Je n’ai jamais fini.',
      eng: 'I spent forty years counting stars. I never finished.',
    },
    { fra: '— Tu crois qu’elle viendra cette nuit ?', eng: '— Do you think she’ll come tonight?' },
    { fra: '— Elle ne vient pas. Elle arrive.', eng: '— She doesn’t come. She arrives.' },
    {
      fra: 'Regarde d’abord le lac : il est toujours au courant avant nous.',
      eng: 'Look at the lake first. It always hears before we do.',
    },
    { fra: 'Vert, c’est l’oxygène. Violet, c’est l’azote.', eng: 'Green is oxygen. Violet is nitrogen.' },
    {
      fra: 'Le reste, personne ne sait. Le reste, c’est la joie.',
      eng: 'The rest, nobody knows. The rest is joy.',
    },
    {
      fra: '— On dirait qu’elle cherche quelque chose.',
      eng: '— It looks as if it were searching for something.',
    },
    { fra: '— Elle cherche quelqu’un qui ne dorme pas.', eng: '— It is searching for someone who is awake.' },
    { fra: 'Alors nous sommes restées debout, par politesse.', eng: 'So we stayed up, out of politeness.' },
    {
      fra: 'Au matin, il ne restait qu’un peu de rose sur la montagne.',
      eng: 'By morning there was only a little pink left on the mountain.',
    },
    {
      fra: 'J’ai noté dans le carnet : « Elle est passée. Elle va bien. »',
      eng: 'I wrote in the notebook: “She came by. She is well.”',
    },
  ],
  trailerNumber: 42,
}

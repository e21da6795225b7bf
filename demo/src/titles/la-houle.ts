import type { Film } from '../title.ts'

export const laHoule: Film = {
  kind: 'film',
  id: 'la-houle',
  number: 1,
  trailerNumber: 41,
  world: 'swell',
  title: 'La Houle',
  originalTitle: 'La Houle',
  englishTitle: 'The Swell',
  plot: {
    fra: 'Une gardienne de phare apprend à lire la mer. Chaque vague porte un message, et la dernière lui est destinée. Un soir, au moment où le soleil touche l’eau, elle reconnaît une écriture qu’elle croyait perdue.',
    eng: 'A lighthouse keeper learns to read the sea. Every wave carries a message, and the last one is meant for her. One evening, as the sun touches the water, she recognises a hand she thought was lost.',
  },
  tagline: {
    fra: 'Chaque vague porte un message, la dernière est pour elle.',
    eng: 'Every wave carries a message. The last one is hers.',
  },
  year: 2026,
  premiered: '2026-02-18',
  age: 10,
  genres: ['Drame', 'Poésie'],
  director: 'Maëlle Kerdoncuff',
  writer: 'Maëlle Kerdoncuff',
  composer: 'Ivo Lindqvist',
  actors: [
    { name: 'Solenn Abgrall', role: 'La gardienne' },
    { name: 'Ewen Tanguy', role: 'Le passeur' },
    { name: 'Nour Belkacem', role: 'La voix' },
  ],
  studio: 'Studio Rivage',
  rating: 8.6,
  votes: 4312,
  set: 'Les heures bleues',
  tags: {
    fra: ['mer', 'phare', 'soir', 'original'],
    eng: ['sea', 'lighthouse', 'evening', 'original'],
  },
  reviews: {
    fra: {
      summary:
        'La critique retient la patience de la mise en scène et la présence de Solenn Abgrall, seule à l’écran ou presque. La lumière du soir et la musique, qui se retire avec elle, sont citées partout. Quelques voix auraient aimé que le message de la dernière vague reste plus secret.',
      sentiment: {
        positive: ['lumière', 'patience', 'musique', 'Solenn Abgrall'],
        negative: ['lenteur', 'fin appuyée'],
      },
      reviews: [
        {
          source: 'Jeanne Ferrand, Le magazine',
          rating: 4.5,
          excerpt: 'Un phare, une femme, de l’eau. Et pourtant le film ne laisse pas une seconde de repos.',
          link: '/read/articles/lire-la-mer',
        },
      ],
    },
    eng: {
      summary:
        'Reviewers praise the patient camerawork and Solenn Abgrall, who is alone on screen almost throughout. All of them mention the evening light, and the music that fades with it. A few would have liked the message of the last wave to stay more of a secret.',
      sentiment: {
        positive: ['light', 'patience', 'music', 'Solenn Abgrall'],
        negative: ['slow pace', 'heavy-handed ending'],
      },
      reviews: [
        {
          source: 'Jeanne Ferrand, The magazine',
          rating: 4.5,
          excerpt: 'A lighthouse, a woman, water. And yet the film never lets go.',
          link: '/read/articles/lire-la-mer',
        },
      ],
    },
  },
  lettering: {
    lines: { fra: ['La Houle'], eng: ['The Swell'] },
    colour: '#fff4df',
    align: 'left',
    place: 'bottom',
    size: 0.3,
  },
  stills: { poster: 0.2, fanart: 0.16, landscape: 0.56, trailer: [0.05, 0.28, 0.44, 0.56, 0.9] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'L’heure dorée' },
    { at: 0.36, title: 'Le soleil touche l’eau' },
    { at: 0.62, title: 'La lampe' },
    { at: 0.84, title: 'La dernière vague' },
  ],
  narration: [
    {
      fra: 'On m’a dit : la mer n’a rien à dire. Alors j’ai tendu l’oreille.',
      eng: 'They told me the sea has nothing to say. So I listened harder.',
    },
    {
      fra: 'La première année, je n’ai entendu que du bruit.',
      eng: 'The first year, all I heard was noise.',
    },
    {
      fra: 'La deuxième, des syllabes. Des virgules d’écume.',
      eng: 'The second year: syllables. Commas of foam.',
    },
    { fra: 'Ce soir, je lis couramment.', eng: 'Tonight I read it fluently.' },
    { fra: '« Ici, un voilier a changé d’avis. »', eng: '“Here, a sailing boat changed its mind.”' },
    {
      fra: '« Ici, trois goélands se disputent le vent. »',
      eng: '“Here, three gulls are quarrelling over the wind.”',
    },
    {
      fra: 'Le soleil signe au bas de la page, puis il se couche.',
      eng: 'The sun signs the bottom of the page, then goes to bed.',
    },
    { fra: '— Tu allumes déjà ?', eng: '— Lighting it already?' },
    {
      fra: '— Il y a quelqu’un là-bas. Il rame depuis longtemps.',
      eng: '— There is someone out there. He has been rowing a long while.',
    },
    {
      fra: 'Je tourne la lampe comme on tourne une phrase.',
      eng: 'I turn the lamp the way one turns a sentence.',
    },
    { fra: 'Un mot de lumière, un mot de nuit.', eng: 'One word of light, one word of dark.' },
    {
      fra: 'Et la dernière vague arrive, petite, sans se presser.',
      eng: 'And the last wave comes in, small, in no hurry at all.',
    },
    { fra: 'Elle dit mon prénom. Avec ton accent.', eng: 'It says my name. In your accent.' },
  ],
}

import type { Film } from '../title.ts'

export const villeBasse: Film = {
  kind: 'film',
  id: 'ville-basse',
  number: 5,
  world: 'city',
  title: 'Ville basse',
  originalTitle: 'Ville basse',
  englishTitle: 'Lower City',
  plot: {
    fra: 'Une archiviste de nuit découvre que quelqu’un éteint les fenêtres de la ville, une par une, dans un ordre qui forme une phrase. Il reste onze mots, et un seul quartier éclairé.',
    eng: 'A night archivist finds that someone is switching off the city’s windows, one by one, in an order that spells a sentence. Eleven words remain, and a single district is still lit.',
  },
  tagline: {
    fra: 'Quelqu’un écrit avec nos fenêtres, et la phrase se termine ici.',
    eng: 'Someone is writing with our windows. The sentence ends here.',
  },
  year: 2024,
  premiered: '2024-10-09',
  age: 16,
  genres: ['Policier', 'Thriller'],
  director: 'Adrien Solal',
  writer: 'Noor Verhaegen',
  composer: 'Paul Mercadier',
  actors: [
    { name: 'Inès Castellane', role: 'L’archiviste' },
    { name: 'Tomas Birk', role: 'L’inspecteur' },
    { name: 'Yvonne Lacaze', role: 'La concierge' },
  ],
  studio: 'Quai Sombre',
  rating: 8.1,
  votes: 6031,
  tags: {
    fra: ['nuit', 'ville', 'enquête', 'néon'],
    eng: ['night', 'city', 'investigation', 'neon'],
  },
  lettering: {
    lines: { fra: ['Ville', 'basse'], eng: ['Lower', 'City'] },
    colour: '#ffd9c8',
    align: 'left',
    place: 'bottom',
    size: 0.32,
  },
  stills: { poster: 0.3, fanart: 0.56, landscape: 0.22, trailer: [0.06, 0.22, 0.38, 0.56, 0.86] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Onze mots' },
    { at: 0.27, title: 'Le viaduc' },
    { at: 0.55, title: 'Pluie' },
    { at: 0.82, title: 'La dernière fenêtre' },
  ],
  narration: [
    {
      fra: 'Vingt-trois heures douze. Quatrième étage, rue du Bac : éteint.',
      eng: 'Eleven twelve p.m. Fourth floor, rue du Bac: dark.',
    },
    {
      fra: 'Vingt-trois heures treize. En face, même étage : éteint.',
      eng: 'Eleven thirteen. Across the street, same floor: dark.',
    },
    {
      fra: 'Une panne, ça tombe au hasard. Ça ne ponctue pas.',
      eng: 'A power cut falls at random. It does not punctuate.',
    },
    { fra: '— Vous me dites que la ville écrit ?', eng: '— You’re telling me the city is writing?' },
    {
      fra: '— Je vous dis qu’on écrit dessus, inspecteur.',
      eng: '— I’m telling you it is being written on, Inspector.',
    },
    {
      fra: 'Le métro est passé. Il a souligné la ligne du bas.',
      eng: 'The train went by. It underlined the bottom row.',
    },
    {
      fra: 'La concierge savait lire. Elle a simplement refusé de le dire à voix haute.',
      eng: 'The caretaker could read it. She simply refused to say it aloud.',
    },
    { fra: '« Quand tu liras ceci… »', eng: '“By the time you read this…”' },
    {
      fra: 'Il pleut. L’encre ne coule pas, quand elle est faite de noir.',
      eng: 'It’s raining. Ink doesn’t run when it is made of darkness.',
    },
    { fra: '« … il ne restera d’allumé… »', eng: '“…there will be only one…”' },
    {
      fra: '— Archiviste ? Pourquoi votre lampe est-elle encore allumée ?',
      eng: '— Archivist? Why is your lamp still on?',
    },
    { fra: '« … que toi. »', eng: '“…still lit: yours.”' },
  ],
  trailerNumber: 45,
}

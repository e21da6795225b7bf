import type { Film } from '../title.ts'

export const frontFroid: Film = {
  kind: 'film',
  id: 'front-froid',
  number: 9,
  world: 'storm',
  title: 'Front froid',
  originalTitle: 'Front froid',
  englishTitle: 'Cold Front',
  plot: {
    fra: 'Une météorologue seule dans une ferme attend l’orage qu’elle a annoncé et que personne n’a cru. Quand la lampe s’éteint, quelqu’un frappe, et il connaît la pression au millibar près.',
    eng: 'A forecaster alone on a farm waits for the storm she forecast and nobody believed in. When the lamp goes out, there is a knock at the door: someone who knows the pressure to the millibar.',
  },
  tagline: { fra: 'Si le vent tourne, on ne rentrera pas.', eng: 'If the wind turns, nobody is going home.' },
  year: 2026,
  premiered: '2026-01-14',
  age: 16,
  genres: ['Thriller', 'Fantastique'],
  director: 'Gauthier Perrin',
  writer: 'Mona Jarry',
  composer: 'Paul Mercadier',
  actors: [
    { name: 'Jeanne Aurillac', role: 'La météorologue' },
    { name: 'Victor Nemours', role: 'Le visiteur' },
    { name: 'Sacha Bellec', role: 'La radio' },
  ],
  studio: 'Quai Sombre',
  rating: 7.8,
  votes: 3877,
  tags: {
    fra: ['orage', 'huis clos', 'campagne'],
    eng: ['thunderstorm', 'chamber piece', 'countryside'],
  },
  lettering: {
    lines: { fra: ['Front', 'froid'], eng: ['Cold', 'Front'] },
    colour: '#e8f0ff',
    align: 'right',
    place: 'bottom',
    size: 0.32,
  },
  stills: { poster: 0.3, fanart: 0.3, landscape: 0.4, trailer: [0.08, 0.24, 0.4, 0.52, 0.7] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Avis de tempête' },
    { at: 0.3, title: 'La ligne de grain' },
    { at: 0.52, title: 'La lampe' },
    { at: 0.84, title: 'Éclaircie' },
  ],
  narration: [
    {
      fra: 'Baromètre : neuf cent quatre-vingt-un. Il descend comme quelqu’un dans un escalier.',
      eng: 'Barometer: nine hundred and eighty-one. Going down like someone on a staircase.',
    },
    {
      fra: 'Radio : — … aucun phénomène notable n’est attendu.',
      eng: 'Radio: — …no notable phenomenon is expected.',
    },
    {
      fra: 'Je leur avais dit dix-neuf heures. Il est moins deux.',
      eng: 'I told them seven o’clock. It is two minutes to.',
    },
    {
      fra: 'Compter entre l’éclair et le bruit. Un. Deux. Trois. Quatre.',
      eng: 'Count between the flash and the sound. One. Two. Three. Four.',
    },
    { fra: 'Un. Deux.', eng: 'One. Two.' },
    { fra: '— Qui est là ?', eng: '— Who’s there?' },
    {
      fra: '— Neuf cent soixante-quatorze, dit la voix. Il n’a plus que deux marches.',
      eng: '— Nine hundred and seventy-four, said the voice. Only two steps left.',
    },
    {
      fra: 'La lampe s’est éteinte. L’éolienne tournait à l’envers.',
      eng: 'The lamp went out. The wind pump was turning backwards.',
    },
    {
      fra: '— Vous êtes de la station ? — Je suis de la dépression.',
      eng: '— Are you from the station? — I am from the depression.',
    },
    {
      fra: 'Il a posé son chapeau. Dehors, il a cessé de pleuvoir.',
      eng: 'He put down his hat. Outside, it stopped raining.',
    },
    {
      fra: '— Et quand vous repartirez ? — Ah, dit-il. Vous avez vu le bulletin ?',
      eng: '— And when you leave again? — Ah, he said. Haven’t you seen the forecast?',
    },
  ],
  trailerNumber: 49,
}

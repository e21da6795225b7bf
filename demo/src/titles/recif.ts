import type { Film } from '../title.ts'

export const recif: Film = {
  kind: 'film',
  id: 'recif',
  number: 3,
  world: 'reef',
  title: 'Récif',
  originalTitle: 'Récif',
  englishTitle: 'Reef',
  plot: {
    fra: 'Une journée dans une ville de corail : les jaunes partent au travail, les bleus font la fête, et tout le monde s’arrête quand passe la grande voyageuse.',
    eng: 'A day in a city of coral: the yellow ones go to work, the blue ones throw a party, and everybody stops when the great traveller goes by.',
  },
  tagline: { fra: 'Une ville où personne ne touche le sol.', eng: 'A city where nobody touches the ground.' },
  year: 2026,
  premiered: '2026-04-22',
  age: 0,
  genres: ['Documentaire', 'Animation', 'Famille'],
  director: 'Teiki Maraetefau',
  writer: 'Hina Roussel',
  composer: 'Baptiste Oyono',
  actors: [
    { name: 'Hina Roussel', role: 'La conteuse' },
    { name: 'Milo Garance', role: 'Le poisson-clown' },
    { name: 'Aya Konaté', role: 'La raie' },
  ],
  studio: 'Corail Films',
  rating: 8.2,
  votes: 2987,
  tags: {
    fra: ['mer', 'animaux', 'couleurs'],
    eng: ['sea', 'animals', 'colours'],
  },
  lettering: {
    lines: { fra: ['Récif'], eng: ['Reef'] },
    colour: '#fff7d6',
    align: 'left',
    place: 'top',
    size: 0.36,
  },
  stills: { poster: 0.6, fanart: 0.68, landscape: 0.3, trailer: [0.12, 0.3, 0.5, 0.58, 0.74] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Les portes s’ouvrent' },
    { at: 0.34, title: 'Heure de pointe' },
    { at: 0.5, title: 'La visiteuse' },
    { at: 0.84, title: 'Lumières éteintes' },
  ],
  narration: [
    {
      fra: 'Sept heures. Le soleil descend les escaliers.',
      eng: 'Seven o’clock. The sun comes down the stairs.',
    },
    {
      fra: 'Les jaunes partent en avance. Ils ont toujours peur de rater le courant.',
      eng: 'The yellow ones leave early. They are always afraid of missing the current.',
    },
    { fra: 'Ici, on salue avec tout le corps.', eng: 'Here, people greet each other with their whole body.' },
    {
      fra: '— Tu vas où ? — Là où tu vas. — Alors on y est presque.',
      eng: '— Where are you going? — Where you are going. — Then we’re nearly there.',
    },
    {
      fra: 'Le corail est une ville qui a oublié de s’arrêter de grandir.',
      eng: 'Coral is a city that forgot to stop growing.',
    },
    { fra: 'Chut. Une ombre tourne la page.', eng: 'Hush. A shadow is turning the page.' },
    {
      fra: 'La raie ne nage pas : elle se souvient d’avoir volé.',
      eng: 'The ray does not swim. It remembers having flown.',
    },
    {
      fra: 'Elle vient de loin, elle ne dit jamais d’où.',
      eng: 'She comes from far away and never says from where.',
    },
    {
      fra: 'Quand elle est passée, personne n’ose reprendre tout de suite.',
      eng: 'When she has passed, nobody dares to start again at once.',
    },
    {
      fra: 'Puis une bulle éclate de rire, et tout repart.',
      eng: 'Then a bubble bursts out laughing, and everything goes on.',
    },
    {
      fra: 'Le soir, on éteint le bleu clair, on allume le bleu foncé.',
      eng: 'In the evening they switch off the light blue and switch on the dark.',
    },
  ],
  trailerNumber: 43,
}

import type { Film } from '../title.ts'

export const lesDecoupages: Film = {
  kind: 'film',
  id: 'les-decoupages',
  number: 10,
  world: 'cutouts',
  title: 'Les Découpages',
  originalTitle: 'Les Découpages',
  englishTitle: 'The Cut-Outs',
  plot: {
    fra: 'Vingt et un bouts de papier s’ennuient dans une boîte. À eux tous, ils peuvent être n’importe quoi. Par quoi commencer ?',
    eng: 'Twenty-one scraps of paper are bored in a box. Together they can be anything at all. Where to begin?',
  },
  tagline: {
    fra: 'Un rond, un carré, et tout le reste du monde.',
    eng: 'A circle, a square, and all the rest of the world.',
  },
  year: 2024,
  premiered: '2024-04-03',
  age: 0,
  genres: ['Famille', 'Animation'],
  director: 'Pénélope Zouari',
  writer: 'Marius Petit',
  composer: 'Baptiste Oyono',
  actors: [
    { name: 'Zoé Lambert', role: 'Le rond orange' },
    { name: 'Marius Petit', role: 'Le triangle rouge' },
    { name: 'Félix Ndiaye', role: 'Le carré rose' },
  ],
  studio: 'Ciseaux & Cie',
  rating: 8.0,
  votes: 1450,
  tags: {
    fra: ['enfants', 'papier', 'formes'],
    eng: ['children', 'paper', 'shapes'],
  },
  lettering: {
    lines: { fra: ['Les', 'Découpages'], eng: ['The', 'Cut-Outs'] },
    colour: '#23324a',
    align: 'center',
    place: 'bottom',
    size: 0.2,
    stretch: 86,
    veil: '#fbe3c2',
  },
  stills: { poster: 0.7, fanart: 0.08, landscape: 0.6, trailer: [0.1, 0.26, 0.43, 0.6, 0.76] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Poisson' },
    { at: 0.17, title: 'Bateau' },
    { at: 0.34, title: 'Oiseau' },
    { at: 0.5, title: 'Maison' },
    { at: 0.67, title: 'Hibou' },
    { at: 0.84, title: 'Jardin' },
  ],
  narration: [
    {
      fra: '— Moi, je suis rond, dit le rond. C’est tout ce que je sais faire.',
      eng: '— I am round, said the circle. It’s all I know how to do.',
    },
    {
      fra: '— Avec une queue et un œil, tu serais un poisson !',
      eng: '— With a tail and an eye, you’d be a fish!',
    },
    {
      fra: '— Alors il me faudrait de la mer. — La voilà, dirent les vagues.',
      eng: '— Then I’d need a sea. — Here it is, said the waves.',
    },
    {
      fra: 'S’il y a la mer, il faut un bateau. C’est obligé.',
      eng: 'If there is a sea, there must be a boat. That’s the rule.',
    },
    {
      fra: '— Tout le monde au mât ! Le rond, fais soleil !',
      eng: '— Everyone to the mast! Circle, be the sun!',
    },
    {
      fra: '— On pourrait voler, proposa la feuille. J’ai toujours voulu être une aile.',
      eng: '— We could fly, said the leaf. I’ve always wanted to be a wing.',
    },
    {
      fra: 'Ils ont volé. Un peu de travers, mais très contents.',
      eng: 'They flew. A bit crooked, but ever so pleased.',
    },
    { fra: 'Le soir, un oiseau a besoin d’une maison.', eng: 'In the evening a bird needs a house.' },
    {
      fra: '— Et la nuit, qui garde la maison ? — Hou ! dit le hibou.',
      eng: '— And at night, who guards the house? — Hoo! said the owl.',
    },
    {
      fra: 'Au matin, sous le soleil, il y avait tout un jardin.',
      eng: 'In the morning, under the sun, there was a whole garden.',
    },
    { fra: '— Et demain ? — Demain, on mélange !', eng: '— And tomorrow? — Tomorrow we mix!' },
  ],
  trailerNumber: 50,
}

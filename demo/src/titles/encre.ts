import type { Film } from '../title.ts'

export const encre: Film = {
  kind: 'film',
  id: 'encre',
  number: 8,
  world: 'ink',
  title: 'Encre',
  originalTitle: 'Encre',
  englishTitle: 'Ink',
  plot: {
    fra: 'Un vieux maître n’a plus que cinq feuilles et un élève qui tremble. En cinq images, il lui apprend ce que la main sait avant la tête.',
    eng: 'An old master has five sheets of paper left, and a pupil whose hand shakes. In five pictures he teaches what the hand knows before the head.',
  },
  tagline: { fra: 'Cinq feuilles, une vie, aucun repentir.', eng: 'Five sheets, one life, no corrections.' },
  year: 2022,
  premiered: '2022-09-21',
  age: 10,
  genres: ['Drame', 'Art'],
  director: 'Haruki Delmas',
  writer: 'Mei Laurent',
  composer: 'Kaoru Vidal',
  actors: [
    { name: 'Shōzō Imbert', role: 'Le maître' },
    { name: 'Elliot Kwan', role: 'L’élève' },
    { name: 'Mei Laurent', role: 'La marchande de papier' },
  ],
  studio: 'Maison Suzuri',
  rating: 8.7,
  votes: 1984,
  tags: {
    fra: ['peinture', 'maître', 'silence'],
    eng: ['painting', 'master', 'silence'],
  },
  lettering: {
    lines: { fra: ['Encre'], eng: ['Ink'] },
    colour: '#1a1c28',
    align: 'left',
    place: 'bottom',
    size: 0.4,
    veil: '#f3ebdb',
  },
  stills: { poster: 0.77, fanart: 0.78, landscape: 0.5, trailer: [0.1, 0.3, 0.5, 0.66, 0.9] },
  durationSeconds: 44,
  audio: ['fra', 'eng'],
  chapters: [
    { at: 0, title: 'Montagnes' },
    { at: 0.2, title: 'Bambous' },
    { at: 0.4, title: 'Carpes' },
    { at: 0.6, title: 'La grue' },
    { at: 0.8, title: 'Le cercle' },
  ],
  narration: [
    {
      fra: '— Ne peins pas la montagne. Peins le temps qu’elle a mis.',
      eng: '— Don’t paint the mountain. Paint how long it took.',
    },
    {
      fra: '— Et la brume, maître ? — La brume, c’est ce que tu ne fais pas.',
      eng: '— And the mist, master? — The mist is what you leave undone.',
    },
    {
      fra: 'Deuxième feuille. Le bambou pousse d’un seul souffle.',
      eng: 'Second sheet. Bamboo grows in a single breath.',
    },
    {
      fra: '— Ta main tremble. — Oui. — Bien. Les feuilles aussi.',
      eng: '— Your hand is shaking. — Yes. — Good. So do leaves.',
    },
    {
      fra: 'Troisième feuille. Une carpe ne sait pas qu’elle est rouge.',
      eng: 'Third sheet. A carp does not know that it is red.',
    },
    { fra: '— Alors qui le sait ? — L’autre carpe.', eng: '— Then who does? — The other carp.' },
    {
      fra: 'Quatrième feuille. La grue part avant d’être finie.',
      eng: 'Fourth sheet. The crane leaves before it is finished.',
    },
    {
      fra: '— Vous l’avez laissée s’envoler ! — Je l’ai peinte pour cela.',
      eng: '— You let it fly away! — That is why I painted it.',
    },
    {
      fra: 'Cinquième feuille. Le maître pose le pinceau devant l’élève.',
      eng: 'Fifth sheet. The master lays the brush before his pupil.',
    },
    {
      fra: 'Un cercle. Un seul. Il ne se ferme pas tout à fait.',
      eng: 'A circle. Just one. It does not quite close.',
    },
    {
      fra: '— C’est raté. — Non, dit le maître. C’est ouvert.',
      eng: '— I spoiled it. — No, said the master. You left it open.',
    },
  ],
  trailerNumber: 48,
}

import type { Texts } from './title.ts'

/** One programme made of several titles: see `channels.json`. */
export interface ChannelBlock {
  readonly id: string
  readonly title: Texts
  readonly synopsis: Texts
  /** File beside `channels.json`: `BLOCK_PICTURES` says what is on it. */
  readonly picture: string
  readonly genres: readonly string[]
  readonly minutes: number
  readonly order?: 'sequence' | 'shuffle'
  readonly titles: readonly string[]
}

/** When what is shown: see `channels.json`. */
export interface ChannelRules {
  /** One after the other, at random without repeating, or by time of day. */
  readonly kind: 'sequence' | 'shuffle' | 'dayparts'
  readonly blocks: readonly ChannelBlock[]
  /** Titles of films and series, or `block:<id>`; a series stands for its episodes. */
  readonly titles: readonly string[]
  /** Only with `dayparts`: from which local hour which titles; `titles` holds them all. */
  readonly dayparts?: readonly { readonly from: string; readonly titles: readonly string[] }[]
  /** Programmes begin at multiples of so many minutes; null: one directly after the other. */
  readonly roundTo: number | null
  /** Titles whose trailers fill the time until then. */
  readonly filler: readonly string[]
}

/** What the picture of a block shows: a title's world at a point of its length. */
export interface BlockPicture {
  readonly file: string
  readonly titleId: string
  readonly point: number
}

interface Programmed extends Omit<ChannelBlock, 'picture'> {
  readonly shows: Omit<BlockPicture, 'file'>
}

const RIVE: readonly Programmed[] = [
  {
    id: 'la-nuit-des-marees',
    title: { fra: 'La nuit des marées', eng: 'Night of the Tides' },
    synopsis: {
      fra: 'La mer, la ville sous la pluie et la première neige : trois films où l’eau tient le premier rôle.',
      eng: 'The sea, a city in the rain and the first snow: three films in which water plays the lead.',
    },
    genres: ['Drame'],
    minutes: 90,
    titles: ['La Houle', 'Ville basse', 'Première neige'],
    shows: { titleId: 'la-houle', point: 0.52 },
  },
  {
    id: 'courts-du-soir',
    title: { fra: 'Courts du soir', eng: 'Evening Shorts' },
    synopsis: {
      fra: 'Encre, orage et houle : le rendez-vous des films courts, sans présentateur et sans coupure.',
      eng: 'Ink, storm and swell: short films one after the other, with nobody talking in between.',
    },
    genres: ['Court métrage'],
    minutes: 52,
    titles: ['Encre', 'Front froid', 'La Houle'],
    shows: { titleId: 'encre', point: 0.42 },
  },
  {
    id: 'le-metier-integrale',
    title: { fra: 'Le Métier, l’intégrale', eng: 'The Loom: All Episodes' },
    synopsis: {
      fra: 'Les deux saisons à la suite. Quatre générations, une étoffe, et le fil rouge que personne ne coupe.',
      eng: 'Both seasons in a row. Four generations, one cloth, and the red thread that nobody cuts.',
    },
    genres: ['Drame'],
    minutes: 104,
    titles: ['Le Métier'],
    shows: { titleId: 'le-metier', point: 0.34 },
  },
]

const TERRA: readonly Programmed[] = [
  {
    id: 'grand-large',
    title: { fra: 'Grand large', eng: 'Open Water' },
    synopsis: {
      fra: 'Du récif à la surface : une heure et quart sous l’eau, puis au-dessus.',
      eng: 'From the reef to the surface: an hour and a quarter under water, then above it.',
    },
    genres: ['Documentaire'],
    minutes: 75,
    titles: ['Récif', 'La Houle'],
    shows: { titleId: 'recif', point: 0.62 },
  },
  {
    id: 'terres-extremes',
    title: { fra: 'Terres extrêmes', eng: 'Extreme Lands' },
    synopsis: {
      fra: 'Le sable qui avance, le ciel qui bouge : deux déserts, un chaud, un froid.',
      eng: 'Sand on the march and a sky in motion: two deserts, one hot, one cold.',
    },
    genres: ['Documentaire'],
    minutes: 52,
    titles: ['Sables', 'Ciels du nord'],
    shows: { titleId: 'sables', point: 0.7 },
  },
  {
    id: 'une-heure-au-marais',
    title: { fra: 'Une heure au marais', eng: 'An Hour in the Marsh' },
    synopsis: {
      fra: 'On s’assoit, on attend, et le marais finit par bouger.',
      eng: 'Sit down, wait, and the marsh begins to move.',
    },
    genres: ['Documentaire'],
    minutes: 60,
    titles: ['Le Marais'],
    shows: { titleId: 'le-marais', point: 0.3 },
  },
]

const ONDE_4: readonly Programmed[] = [
  {
    id: 'nuit-electronique',
    title: { fra: 'Nuit électronique', eng: 'Electronic Night' },
    synopsis: {
      fra: 'Des lignes, des cercles et des basses, jusqu’à ce que les voisins montent.',
      eng: 'Lines, circles and bass, until the neighbours come knocking.',
    },
    genres: ['Musique'],
    minutes: 104,
    order: 'shuffle',
    titles: ['Interférences', 'Ville basse', 'Apogée'],
    shows: { titleId: 'interferences', point: 0.45 },
  },
  {
    id: 'en-orbite',
    title: { fra: 'En orbite', eng: 'In Orbit' },
    synopsis: {
      fra: 'Un tour complet, puis un autre. La musique vient d’en haut.',
      eng: 'Once around, then once more. The music comes from above.',
    },
    genres: ['Musique'],
    minutes: 60,
    titles: ['Apogée', 'Ciels du nord'],
    shows: { titleId: 'apogee', point: 0.4 },
  },
]

const PETIT: readonly Programmed[] = [
  {
    id: 'le-matin-des-petits',
    title: { fra: 'Le matin des petits', eng: 'Little Ones’ Morning' },
    synopsis: {
      fra: 'Des papiers découpés, des poissons et des grenouilles, pour commencer la journée.',
      eng: 'Paper shapes, fish and frogs to start the day.',
    },
    genres: ['Jeunesse'],
    minutes: 60,
    titles: ['Les Découpages', 'Récif', 'Le Marais'],
    shows: { titleId: 'les-decoupages', point: 0.36 },
  },
  {
    id: 'cine-gouter',
    title: { fra: 'Ciné-goûter', eng: 'Teatime Cinema' },
    synopsis: {
      fra: 'Une séance courte, le temps d’un goûter.',
      eng: 'A short screening, just long enough for a snack.',
    },
    genres: ['Jeunesse'],
    minutes: 30,
    titles: ['Les Découpages', 'Récif'],
    shows: { titleId: 'les-decoupages', point: 0.74 },
  },
  {
    id: 'bonne-nuit',
    title: { fra: 'Bonne nuit', eng: 'Good Night' },
    synopsis: {
      fra: 'La neige tombe, le marais s’endort. On baisse le son.',
      eng: 'The snow is falling, the marsh is going to sleep. Turn the sound down.',
    },
    genres: ['Jeunesse'],
    minutes: 45,
    titles: ['Première neige', 'Le Marais'],
    shows: { titleId: 'premiere-neige', point: 0.5 },
  },
]

/** The pictures that stand beside `channels.json`. */
export const BLOCK_PICTURES: readonly BlockPicture[] = [...RIVE, ...TERRA, ...ONDE_4, ...PETIT].map(
  ({ id, shows }) => ({ file: pictureOf(id), ...shows }),
)

export const rive: ChannelRules = {
  kind: 'sequence',
  ...listed(RIVE),
  roundTo: 5,
  filler: ['La Houle', 'Encre'],
}

export const terra: ChannelRules = {
  kind: 'shuffle',
  ...listed(TERRA),
  roundTo: 5,
  filler: ['Récif', 'Ciels du nord', 'Le Marais'],
}

export const onde4: ChannelRules = {
  kind: 'sequence',
  ...listed(ONDE_4),
  roundTo: 5,
  filler: ['Interférences', 'Apogée'],
}

export const petit: ChannelRules = {
  kind: 'dayparts',
  ...listed(PETIT),
  dayparts: [
    { from: '06:00', titles: ['block:le-matin-des-petits', 'block:cine-gouter'] },
    { from: '19:00', titles: ['block:bonne-nuit'] },
  ],
  roundTo: 5,
  filler: ['Les Découpages', 'Récif'],
}

function listed(programmed: readonly Programmed[]): Pick<ChannelRules, 'titles' | 'blocks'> {
  return {
    titles: programmed.map(({ id }) => `block:${id}`),
    blocks: programmed.map(({ shows: _shows, ...block }) => ({ ...block, picture: pictureOf(block.id) })),
  }
}

function pictureOf(id: string): string {
  return `${id}.jpg`
}

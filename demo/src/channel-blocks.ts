import type { StillSource } from './task.ts'
import type { LocalisedText } from './title.ts'

/** A block: a programme that consists of several titles, as in `channels.json`. */
interface ChannelBlock {
  readonly id: string
  readonly title: LocalisedText
  readonly synopsis: LocalisedText
  /**
   * Name of the picture's file in the folder of `channels.json`. `BLOCK_PICTURES` has the source of the picture.
   */
  readonly picture: string
  readonly genres: readonly string[]
  readonly minutes: number
  readonly order?: 'sequence' | 'shuffle'
  readonly titles: readonly string[]
}

/** The schedule of a channel, as in `channels.json`. */
export interface ChannelRules {
  readonly kind: 'dayparts'
  readonly blocks: readonly ChannelBlock[]
  /** Parts of the day. `from` is a local time, and `titles` has the blocks as `block:<id>`. */
  readonly dayparts: readonly { readonly from: string; readonly titles: readonly string[] }[]
  /** Programmes begin at multiples of this many minutes. */
  readonly roundTo: number
  /**
   * Titles whose trailers fill the time until the next programme begins. At least one of these titles is among the
   * films that are made first.
   */
  readonly filler: readonly string[]
}

/** Source of a block's picture: a still of a title, at a fraction of the title's length. */
export interface BlockPicture extends Omit<StillSource, 'variation'> {
  readonly file: string
  readonly titleId: string
}

interface Programmed extends Omit<ChannelBlock, 'picture'> {
  readonly shows: Omit<BlockPicture, 'file'>
  /** Local times at which the block begins. */
  readonly at: readonly string[]
}

const RIVE: readonly Programmed[] = [
  {
    id: 'cinema-du-matin',
    title: { fra: 'Cinéma du matin', eng: 'Morning Cinema' },
    synopsis: {
      fra: 'La neige, la mer, un café : des films qui commencent la journée sans élever la voix.',
      eng: 'Snow, sea and coffee: films that start the day without raising their voice.',
    },
    genres: ['Drame'],
    minutes: 90,
    titles: ['La Houle', 'Première neige'],
    shows: { titleId: 'premiere-neige', point: 0.36 },
    at: ['05:00', '07:30', '10:30'],
  },
  {
    id: 'carnets-d-atelier',
    title: { fra: 'Carnets d’atelier', eng: 'Studio Notebooks' },
    synopsis: {
      fra: 'Le pinceau, les ciseaux, le papier : une heure à regarder des mains au travail.',
      eng: 'Brush, scissors, paper: an hour of watching hands at work.',
    },
    genres: ['Documentaire'],
    minutes: 60,
    titles: ['Encre', 'Les Découpages'],
    shows: { titleId: 'encre', point: 0.85 },
    at: ['04:00', '06:30', '12:00', '16:10'],
  },
  {
    id: 'le-metier-integrale',
    title: { fra: 'Le Métier, l’intégrale', eng: 'The Loom: All Episodes' },
    synopsis: {
      fra: 'Les deux saisons à la suite. Quatre générations, une étoffe, et le fil rouge que personne ne coupe.',
      eng: 'Both seasons in a row. Four generations, one cloth, and the red thread that nobody cuts.',
    },
    genres: ['Drame'],
    minutes: 100,
    titles: ['Le Métier'],
    // The crop shows only the cloth, which fades out at its upper edge.
    shows: { titleId: 'le-metier', point: 0.34, crop: { left: 0.36, top: 0, size: 0.56 } },
    at: ['09:00', '13:00'],
  },
  {
    id: 'gens-de-passage',
    title: { fra: 'Gens de passage', eng: 'Passing Through' },
    synopsis: {
      fra: 'Une caravane, un train, une station spatiale : trois films de voyageurs qui n’arrivent jamais tout à fait.',
      eng: 'A caravan, a train, a space station: three films about travellers who never quite arrive.',
    },
    genres: ['Aventure'],
    minutes: 100,
    titles: ['Sables', 'Première neige', 'Apogée'],
    shows: { titleId: 'apogee', point: 0.2 },
    at: ['14:40', '17:10'],
  },
  {
    id: 'courts-du-soir',
    title: { fra: 'Courts du soir', eng: 'Evening Shorts' },
    synopsis: {
      fra: 'Encre, neige et houle : le rendez-vous des films courts, sans présentateur et sans coupure.',
      eng: 'Ink, snow and swell: short films one after the other, with nobody talking in between.',
    },
    genres: ['Court métrage'],
    minutes: 100,
    titles: ['Encre', 'Première neige', 'La Houle'],
    shows: { titleId: 'encre', point: 0.38 },
    at: ['18:50'],
  },
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
    at: ['01:00', '20:30'],
  },
  {
    id: 'seance-noire',
    title: { fra: 'Séance noire', eng: 'Late Noir' },
    synopsis: {
      fra: 'Des fenêtres qui s’éteignent, un orage que personne n’a cru : à regarder porte fermée.',
      eng: 'Windows that go dark, a storm that nobody believed in: best watched with the door locked.',
    },
    genres: ['Thriller'],
    minutes: 90,
    titles: ['Ville basse', 'Front froid'],
    shows: { titleId: 'ville-basse', point: 0.56 },
    at: ['02:30', '22:00'],
  },
  {
    id: 'cine-nuit',
    title: { fra: 'Ciné-nuit', eng: 'Night Cinema' },
    synopsis: {
      fra: 'Pour ceux qui ne dorment pas : le large, l’encre et les étoiles, jusqu’au milieu de la nuit.',
      eng: 'For those who cannot sleep: open sea, ink and stars, deep into the night.',
    },
    genres: ['Drame'],
    minutes: 90,
    titles: ['Apogée', 'La Houle', 'Encre'],
    shows: { titleId: 'encre', point: 0.7 },
    at: ['23:30'],
  },
]

const TERRA: readonly Programmed[] = [
  {
    id: 'l-aube-au-marais',
    title: { fra: 'L’aube au marais', eng: 'Dawn in the Marsh' },
    synopsis: {
      fra: 'Le brouillard se lève, le héron aussi. Le jour commence sans bruit.',
      eng: 'The fog rises and so does the heron. Day breaks without a sound.',
    },
    genres: ['Documentaire'],
    minutes: 90,
    titles: ['Le Marais', 'Ciels du nord'],
    shows: { titleId: 'le-marais', point: 0.08 },
    at: ['04:30'],
  },
  {
    id: 'petit-bestiaire',
    title: { fra: 'Petit bestiaire', eng: 'A Little Bestiary' },
    synopsis: {
      fra: 'Ce qui nage, ce qui vole et ce qui attend : une heure d’animaux, sans personne devant.',
      eng: 'What swims, what flies and what lies in wait: an hour of animals, with nobody in the way.',
    },
    genres: ['Documentaire'],
    minutes: 60,
    titles: ['Récif', 'Le Marais'],
    shows: { titleId: 'recif', point: 0.3 },
    at: ['06:00', '11:00', '17:00'],
  },
  {
    id: 'grand-large',
    title: { fra: 'Grand large', eng: 'Open Water' },
    synopsis: {
      fra: 'Du récif à la surface : une heure et demie sous l’eau, puis au-dessus.',
      eng: 'From the reef to the surface: an hour and a half under water, then above it.',
    },
    genres: ['Documentaire'],
    minutes: 90,
    titles: ['Récif', 'La Houle'],
    shows: { titleId: 'la-houle', point: 0.34 },
    at: ['07:00', '13:00', '22:00'],
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
    at: ['03:30', '08:30', '16:00', '23:00'],
  },
  {
    id: 'terres-extremes',
    title: { fra: 'Terres extrêmes', eng: 'Extreme Lands' },
    synopsis: {
      fra: 'Le sable qui avance, le ciel qui bouge : deux déserts, un chaud, un froid.',
      eng: 'Sand on the march and a sky in motion: two deserts, one hot, one cold.',
    },
    genres: ['Documentaire'],
    minutes: 90,
    titles: ['Sables', 'Ciels du nord'],
    shows: { titleId: 'sables', point: 0.7 },
    at: ['01:00', '09:30', '14:30', '20:30'],
  },
  {
    id: 'carnets-de-desert',
    title: { fra: 'Carnets de désert', eng: 'Desert Notebook' },
    synopsis: {
      fra: 'Une porte, une caravane et des dunes qui changent d’avis chaque nuit.',
      eng: 'A door, a caravan, and dunes that change their minds every night.',
    },
    genres: ['Documentaire'],
    minutes: 60,
    titles: ['Sables'],
    shows: { titleId: 'sables', point: 0.46 },
    at: ['12:00', '18:00'],
  },
  {
    id: 'l-heure-bleue',
    title: { fra: 'L’heure bleue', eng: 'The Blue Hour' },
    synopsis: {
      fra: 'Le moment où le jour hésite : la mer, le marais et le nord, quand la lumière s’en va.',
      eng: 'When the day cannot make up its mind: sea, marsh and north as the light goes.',
    },
    genres: ['Documentaire'],
    minutes: 90,
    titles: ['La Houle', 'Le Marais', 'Ciels du nord'],
    shows: { titleId: 'la-houle', point: 0.16 },
    at: ['19:00'],
  },
  {
    id: 'la-nuit-des-aurores',
    title: { fra: 'La nuit des aurores', eng: 'Night of the Auroras' },
    synopsis: {
      fra: 'Une cabane, un lac gelé, et le ciel qui s’allume quand il veut.',
      eng: 'A cabin, a frozen lake, and a sky that lights up when it pleases.',
    },
    genres: ['Documentaire'],
    minutes: 60,
    titles: ['Ciels du nord'],
    shows: { titleId: 'ciels-du-nord', point: 0.35 },
    at: ['00:00', '02:30'],
  },
]

const ONDE_4: readonly Programmed[] = [
  {
    id: 'matin-en-boucle',
    title: { fra: 'Matin en boucle', eng: 'Morning Loops' },
    synopsis: {
      fra: 'Des motifs qui tournent, un ciel qui s’éclaire : de quoi se réveiller en mesure.',
      eng: 'Patterns that turn and a sky that brightens: wake up in time.',
    },
    genres: ['Musique'],
    minutes: 60,
    titles: ['Interférences', 'Ciels du nord'],
    shows: { titleId: 'interferences', point: 0.1 },
    at: ['06:00', '08:30'],
  },
  {
    id: 'en-orbite',
    title: { fra: 'En orbite', eng: 'In Orbit' },
    synopsis: {
      fra: 'Un tour complet, puis un autre. La musique vient d’en haut.',
      eng: 'Once around, then once more. The music comes from above.',
    },
    genres: ['Musique'],
    minutes: 90,
    titles: ['Apogée', 'Ciels du nord'],
    shows: { titleId: 'apogee', point: 0.4 },
    at: ['00:00', '03:00', '07:00', '10:30', '13:00'],
  },
  {
    id: 'lignes-claires',
    title: { fra: 'Lignes claires', eng: 'Clear Lines' },
    synopsis: {
      fra: 'Un trait, puis mille. L’encre donne le tempo, les lignes font la mélodie.',
      eng: 'One stroke, then a thousand. Ink sets the tempo and the lines carry the tune.',
    },
    genres: ['Musique'],
    minutes: 60,
    titles: ['Interférences', 'Encre'],
    shows: { titleId: 'interferences', point: 0.82 },
    at: ['09:30', '12:00', '17:00'],
  },
  {
    id: 'sieste-sonore',
    title: { fra: 'Sieste sonore', eng: 'Sound Siesta' },
    synopsis: {
      fra: 'Du sable, du vent, une aurore : on ferme les yeux, ou pas.',
      eng: 'Sand, wind, northern lights: close your eyes, or don’t.',
    },
    genres: ['Musique'],
    minutes: 90,
    titles: ['Ciels du nord', 'Sables'],
    shows: { titleId: 'ciels-du-nord', point: 0.62 },
    at: ['15:30'],
  },
  {
    id: 'bancs-d-essai',
    title: { fra: 'Bancs d’essai', eng: 'Test Pressings' },
    synopsis: {
      fra: 'Des images qui cherchent leur son, et des sons qui cherchent leur image.',
      eng: 'Pictures looking for their sound, and sounds looking for their picture.',
    },
    genres: ['Musique'],
    minutes: 60,
    titles: ['Interférences', 'Apogée'],
    shows: { titleId: 'interferences', point: 0.3 },
    at: ['14:30', '19:40'],
  },
  {
    id: 'basses-et-neons',
    title: { fra: 'Basses et néons', eng: 'Bass and Neon' },
    synopsis: {
      fra: 'La ville s’allume, les basses descendent : la bande-son d’avant de sortir.',
      eng: 'The city lights up and the bass comes down: a soundtrack for getting ready.',
    },
    genres: ['Musique'],
    minutes: 100,
    titles: ['Interférences', 'Ville basse'],
    shows: { titleId: 'ville-basse', point: 0.38 },
    at: ['18:00'],
  },
  {
    id: 'le-concert',
    title: { fra: 'Le concert', eng: 'The Concert' },
    synopsis: {
      fra: 'Cent minutes sans musiciens : l’image joue la basse, l’œil fait le reste.',
      eng: 'A hundred minutes without musicians: the picture plays the bass, the eye does the rest.',
    },
    genres: ['Musique'],
    minutes: 100,
    titles: ['Interférences', 'Apogée', 'Encre'],
    shows: { titleId: 'interferences', point: 0.6 },
    at: ['20:40'],
  },
  {
    id: 'nuit-electronique',
    title: { fra: 'Nuit électronique', eng: 'Electronic Night' },
    synopsis: {
      fra: 'Des lignes, des cercles et des basses, jusqu’à ce que les voisins montent.',
      eng: 'Lines, circles and bass, until the neighbours come knocking.',
    },
    genres: ['Musique'],
    minutes: 100,
    order: 'shuffle',
    titles: ['Interférences', 'Ville basse', 'Apogée'],
    shows: { titleId: 'interferences', point: 0.45 },
    at: ['01:30', '04:30', '22:20'],
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
    at: ['06:00', '08:30'],
  },
  {
    id: 'l-atelier-papier',
    title: { fra: 'L’atelier papier', eng: 'Paper Workshop' },
    synopsis: {
      fra: 'Un rond, un carré, une étoile : à toi de deviner ce qu’ils vont devenir.',
      eng: 'A circle, a square, a star: can you guess what they will turn into?',
    },
    genres: ['Jeunesse'],
    minutes: 45,
    titles: ['Les Découpages'],
    shows: { titleId: 'les-decoupages', point: 0.26 },
    at: ['05:00', '07:00', '11:00', '12:30', '15:45', '17:30'],
  },
  {
    id: 'sous-l-eau',
    title: { fra: 'Sous l’eau', eng: 'Under the Water' },
    synopsis: {
      fra: 'Des poissons jaunes, des poissons bleus, et une très grande raie qui passe.',
      eng: 'Yellow fish, blue fish, and one very big ray passing by.',
    },
    genres: ['Jeunesse'],
    minutes: 45,
    titles: ['Récif'],
    shows: { titleId: 'recif', point: 0.5 },
    at: ['05:30', '07:45', '10:15', '14:15'],
  },
  {
    id: 'les-amis-du-marais',
    title: { fra: 'Les amis du marais', eng: 'Marsh Friends' },
    synopsis: {
      fra: 'Le héron, les grenouilles et le brouillard, qui fait semblant de ne pas être là.',
      eng: 'The heron, the frogs, and the fog, which pretends not to be there.',
    },
    genres: ['Jeunesse'],
    minutes: 45,
    titles: ['Le Marais', 'Récif'],
    shows: { titleId: 'le-marais', point: 0.67 },
    at: ['09:30', '11:45', '15:00', '18:15'],
  },
  {
    id: 'le-temps-calme',
    title: { fra: 'Le temps calme', eng: 'Quiet Time' },
    synopsis: {
      fra: 'Après le déjeuner, on s’allonge et on regarde le ciel.',
      eng: 'After lunch, lie down and look at the sky.',
    },
    genres: ['Jeunesse'],
    minutes: 60,
    titles: ['Ciels du nord', 'Le Marais'],
    shows: { titleId: 'ciels-du-nord', point: 0.48 },
    at: ['13:15'],
  },
  {
    id: 'cine-gouter',
    title: { fra: 'Ciné-goûter', eng: 'Teatime Cinema' },
    synopsis: {
      fra: 'Une séance courte, le temps d’un goûter.',
      eng: 'A short screening, just long enough for a snack.',
    },
    genres: ['Jeunesse'],
    minutes: 60,
    titles: ['Les Découpages', 'Récif'],
    shows: { titleId: 'les-decoupages', point: 0.74 },
    at: ['16:30'],
  },
  {
    id: 'bonne-nuit',
    title: { fra: 'Bonne nuit', eng: 'Good Night' },
    synopsis: {
      fra: 'La neige tombe, le marais s’endort. On baisse le son.',
      eng: 'The snow is falling, the marsh is going to sleep. Turn the sound down.',
    },
    genres: ['Jeunesse'],
    minutes: 60,
    titles: ['Première neige', 'Le Marais'],
    shows: { titleId: 'premiere-neige', point: 0.5 },
    at: ['00:00', '02:30', '19:00', '21:30'],
  },
  {
    id: 'la-veilleuse',
    title: { fra: 'La veilleuse', eng: 'Night Light' },
    synopsis: {
      fra: 'Une lumière douce pour la nuit : la neige, les étoiles, et rien qui réveille.',
      eng: 'A soft light for the night: snow, stars, and nothing to wake you.',
    },
    genres: ['Jeunesse'],
    minutes: 90,
    titles: ['Ciels du nord', 'Première neige'],
    shows: { titleId: 'ciels-du-nord', point: 0.8 },
    at: ['01:00', '03:30', '20:00', '22:30'],
  },
]

/** The pictures of all blocks. Their files are in the folder of `channels.json`. */
export const BLOCK_PICTURES: readonly BlockPicture[] = [...RIVE, ...TERRA, ...ONDE_4, ...PETIT].map(
  ({ shows }) => ({ file: pictureOf(shows), ...shows }),
)

export const rive = dayOf(RIVE, ['La Houle', 'Encre'])

export const terra = dayOf(TERRA, ['La Houle', 'Récif', 'Ciels du nord', 'Le Marais'])

export const onde4 = dayOf(ONDE_4, ['Interférences', 'Apogée'])

export const petit = dayOf(PETIT, ['Les Découpages', 'Récif'])

/** Creates the schedule of a channel whose blocks have fixed times of day. */
function dayOf(programmed: readonly Programmed[], filler: readonly string[]): ChannelRules {
  return {
    kind: 'dayparts',
    blocks: programmed.map(({ shows, at: _at, ...block }) => ({ ...block, picture: pictureOf(shows) })),
    dayparts: programmed
      .flatMap(({ id, at }) => at.map((from) => ({ from, titles: [`block:${id}`] })))
      .toSorted((one, other) => one.from.localeCompare(other.from)),
    roundTo: 5,
    filler,
  }
}

/**
 * Returns the file name of a block's picture. The name contains the source of the picture. If the source changes,
 * the file name changes too, and an existing library gets the new picture.
 */
function pictureOf({ titleId, point, crop }: Programmed['shows']): string {
  return `${titleId}-${Math.round(point * 100)}${crop === undefined ? '' : '-detail'}.jpg`
}

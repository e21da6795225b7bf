import type { BlockPicture } from './channel-blocks.ts'
import type { LocalisedText } from './title.ts'

/** Time zone of the local times in the live channel's guide. */
export const LIVE_TIME_ZONE = 'Europe/Paris'

/** A programme of the live channel. `at` has the local times at which it begins. */
interface LiveProgramme {
  readonly id: string
  readonly title: LocalisedText
  readonly synopsis: LocalisedText
  /** Genre, in both languages. */
  readonly genre: LocalisedText
  readonly shows: Omit<BlockPicture, 'file'>
  readonly at: readonly string[]
}

const DOCUMENTARY: LocalisedText = { fra: 'Documentaire', eng: 'Documentary' }
const WEATHER: LocalisedText = { fra: 'Météo', eng: 'Weather' }
const NATURE: LocalisedText = { fra: 'Nature', eng: 'Nature' }

/** The series of the live channel. A new episode is shown each evening, and repeated on the next morning. */
export const KEEPERS_LOG: LiveProgramme = {
  id: 'carnet-de-la-gardienne',
  title: { fra: 'Le Carnet de la gardienne', eng: 'The Keeper’s Log' },
  synopsis: {
    fra: 'Une page par jour : le vent, les bateaux, et ce que la mer a laissé au pied du phare.',
    eng: 'A page a day: the wind, the boats, and what the sea left at the foot of the lighthouse.',
  },
  genre: DOCUMENTARY,
  shows: { titleId: 'la-houle', point: 0.44 },
  at: ['10:30', '19:30'],
}

/** Titles of the episodes, one for each day of the week from Monday on. */
const EPISODES: readonly LocalisedText[] = [
  { fra: 'Le vent tourne', eng: 'The Wind Turns' },
  { fra: 'Une bouteille', eng: 'A Bottle' },
  { fra: 'Le bateau de dix heures', eng: 'The Ten O’Clock Boat' },
  { fra: 'Brume', eng: 'Mist' },
  { fra: 'La lampe', eng: 'The Lamp' },
  { fra: 'Coefficient 108', eng: 'Spring Tide' },
  { fra: 'Dimanche, mer belle', eng: 'Sunday, Calm Sea' },
]

/** The other programmes of each day. Each programme lasts until the next programme begins. */
const PROGRAMMES: readonly LiveProgramme[] = [
  {
    id: 'feux-de-nuit',
    title: { fra: 'Feux de nuit', eng: 'Night Lights' },
    synopsis: {
      fra: 'Un éclat toutes les cinq secondes, et la mer qu’on entend mieux qu’on ne la voit.',
      eng: 'One flash every five seconds, and a sea better heard than seen.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.9 },
    at: ['00:00', '22:00'],
  },
  {
    id: 'le-quart-de-nuit',
    title: { fra: 'Le quart de nuit', eng: 'The Night Watch' },
    synopsis: {
      fra: 'Ceux qui veillent regardent passer les feux des cargos. On peut veiller avec eux.',
      eng: 'Those on watch see the lights of the freighters go by. You can keep watch with them.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.82 },
    at: ['03:00'],
  },
  {
    id: 'premiere-lumiere',
    title: { fra: 'Première lumière', eng: 'First Light' },
    synopsis: {
      fra: 'Le phare s’éteint, le jour prend la suite.',
      eng: 'The lighthouse goes out, and day takes over.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.56 },
    at: ['06:00'],
  },
  {
    id: 'meteo-du-large',
    title: { fra: 'Météo du large', eng: 'Offshore Forecast' },
    synopsis: {
      fra: 'Vent, houle et visibilité, du cap aux îles. Vérifié à l’œil nu, en direct.',
      eng: 'Wind, swell and visibility, from the cape to the islands. Checked live, with the naked eye.',
    },
    genre: WEATHER,
    shows: { titleId: 'front-froid', point: 0.24 },
    at: ['08:00', '12:30', '19:00'],
  },
  {
    id: 'maree-montante',
    title: { fra: 'Marée montante', eng: 'Rising Tide' },
    synopsis: {
      fra: 'L’eau revient sans se presser. Deux heures pour voir les rochers disparaître.',
      eng: 'The water comes back in its own time. Two hours to watch the rocks disappear.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.08 },
    at: ['08:30'],
  },
  {
    id: 'plein-large',
    title: { fra: 'Plein large', eng: 'Wide Open Sea' },
    synopsis: {
      fra: 'L’horizon, et rien devant. La caméra ne bouge pas, la mer s’en charge.',
      eng: 'The horizon, and nothing in front of it. The camera stays still. The sea does not.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.24 },
    at: ['11:00'],
  },
  {
    id: 'maree-descendante',
    title: { fra: 'Marée descendante', eng: 'Falling Tide' },
    synopsis: {
      fra: 'Ce que la mer cache le matin, elle le montre l’après-midi.',
      eng: 'What the sea hides in the morning, it shows in the afternoon.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.12, crop: { left: 0, top: 0.4, size: 0.5 } },
    at: ['13:00'],
  },
  {
    id: 'embruns',
    title: { fra: 'Embruns', eng: 'Sea Spray' },
    synopsis: {
      fra: 'Du vent, de l’écume, et un phare qui en a vu d’autres.',
      eng: 'Wind, foam, and a lighthouse that has seen worse.',
    },
    genre: NATURE,
    shows: { titleId: 'front-froid', point: 0.62 },
    at: ['15:00'],
  },
  {
    id: 'l-heure-doree',
    title: { fra: 'L’heure dorée', eng: 'The Golden Hour' },
    synopsis: {
      fra: 'Le soleil descend, la lumière s’étire, le phare attend son tour.',
      eng: 'The sun goes down, the light grows long, and the lighthouse waits its turn.',
    },
    genre: NATURE,
    shows: { titleId: 'la-houle', point: 0.38, crop: { left: 0.5, top: 0.2, size: 0.5 } },
    at: ['17:00'],
  },
  {
    id: 'la-grande-maree',
    title: { fra: 'La Grande Marée', eng: 'The Great Tide' },
    synopsis: {
      fra: 'Le rendez-vous du soir : la plus haute mer du jour, vue d’en haut, sans un mot.',
      eng: 'The evening appointment: the highest water of the day, from above, without a word.',
    },
    genre: DOCUMENTARY,
    shows: { titleId: 'la-houle', point: 0.66 },
    at: ['20:00'],
  },
]

const ALL: readonly LiveProgramme[] = [...PROGRAMMES, KEEPERS_LOG]

/** Pictures of the live channel's programmes. Their files are beside the pictures of the other channels. */
export const LIVE_PICTURES: readonly (BlockPicture & { readonly of: LocalisedText })[] = ALL.map(
  ({ id, title, shows }) => ({ file: `phare-${id}.jpg`, ...shows, of: title }),
)

/** Number of days before today in the guide. `COMING_DAYS` is the number of days after today. */
const PAST_DAYS = 2
const COMING_DAYS = 9
const DAY_MS = 86_400_000

interface Showing {
  /** Local start time, in the format of XMLTV. */
  readonly start: string
  readonly programme: LiveProgramme
  /** Day of the episode: midnight in UTC, in milliseconds since the Unix epoch. */
  readonly episodeOf: number
  readonly isRepeat: boolean
}

/**
 * Returns the guide of the live channel as XMLTV, from two days ago to nine days ahead. Times are local times of
 * {@link LIVE_TIME_ZONE}. A day has the same programmes in every guide.
 */
export function liveGuide(channelId: string, now: number): string {
  const today = Date.parse(new Intl.DateTimeFormat('sv-SE', { timeZone: LIVE_TIME_ZONE }).format(now))
  const showings: Showing[] = []
  for (let day = today - PAST_DAYS * DAY_MS; day <= today + COMING_DAYS * DAY_MS; day += DAY_MS)
    showings.push(...showingsOf(day))
  const programmes = showings
    .slice(0, -1)
    .map((showing, index) => element(channelId, showing, showings[index + 1]?.start ?? ''))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<tv>\n<channel id="${channelId}"><display-name>Phare</display-name></channel>\n${programmes.join('\n')}\n</tv>\n`
}

function showingsOf(day: number): Showing[] {
  const date = new Date(day).toISOString().slice(0, 10).replaceAll('-', '')
  return ALL.flatMap((programme) =>
    programme.at.map((time, index) => {
      const isRepeat = programme === KEEPERS_LOG && index === 0
      return {
        start: `${date}${time.replace(':', '')}00`,
        programme,
        episodeOf: isRepeat ? day - DAY_MS : day,
        isRepeat,
      }
    }),
  ).toSorted((one, other) => one.start.localeCompare(other.start))
}

function element(
  channelId: string,
  { start, programme, episodeOf, isRepeat }: Showing,
  stop: string,
): string {
  const { title, synopsis, genre } = programme
  return [
    `<programme start="${start}" stop="${stop}" channel="${channelId}">`,
    ...inBoth('title', title),
    ...(programme === KEEPERS_LOG ? inBoth('sub-title', EPISODES[weekdayOf(episodeOf)]) : []),
    ...inBoth('desc', synopsis),
    ...inBoth('category', genre),
    ...(programme === KEEPERS_LOG
      ? [`<episode-num system="xmltv_ns">${numberOf(episodeOf)}</episode-num>`]
      : []),
    ...(isRepeat ? ['<previously-shown/>'] : []),
    '<rating system="CSA"><value>TP</value></rating>',
    '</programme>',
  ].join('')
}

function inBoth(name: string, text: LocalisedText | undefined): string[] {
  return text === undefined
    ? []
    : [`<${name} lang="fr">${text.fra}</${name}>`, `<${name} lang="en">${text.eng}</${name}>`]
}

/** Returns 0 for Monday to 6 for Sunday. */
function weekdayOf(day: number): number {
  return (new Date(day).getUTCDay() + 6) % 7
}

/**
 * Returns the season and the episode of a day, counted from 0. Each year from 2026 on is a season, and each day an
 * episode.
 */
function numberOf(day: number): string {
  const year = new Date(day).getUTCFullYear()
  return `${Math.max(0, year - 2026)}.${Math.round((day - Date.UTC(year, 0, 1)) / DAY_MS)}.`
}

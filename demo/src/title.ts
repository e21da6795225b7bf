/** What is written about a title, in the shape that its files are made from. */

/** French first: it is the library's own language. */
export interface Texts {
  readonly fra: string
  readonly eng: string
}

/** The languages of audio tracks and subtitles, as ISO 639-2 and, for file names, ISO 639-1. */
export const LANGUAGES = [
  { code: 'fra', short: 'fr', name: 'Français' },
  { code: 'eng', short: 'en', name: 'English' },
] as const

/** Code of a language that a title can speak. */
export type LanguageCode = (typeof LANGUAGES)[number]['code']

/** Names of the worlds (`worlds/`) and of their scores (`sound/scores.ts`). */
export type WorldName =
  | 'swell'
  | 'aurora'
  | 'reef'
  | 'snow'
  | 'city'
  | 'orbits'
  | 'dunes'
  | 'ink'
  | 'storm'
  | 'cutouts'
  | 'moire'
  | 'reeds'
  | 'loom'

/** Someone on the screen, with the part. All are invented. */
export interface Actor {
  readonly name: string
  readonly role: string
}

/** How the title is set on posters and title cards. */
export interface Lettering {
  /** Line by line, in each language. */
  readonly lines: { readonly [Language in LanguageCode]: readonly string[] }
  readonly colour: string
  readonly align: 'left' | 'center' | 'right'
  /** Where the block stands on the poster. */
  readonly place: 'top' | 'middle' | 'bottom'
  /** Height of a capital line as a share of the poster's width. */
  readonly size: number
  /** Stretch of the display face in percent: 80 unless told. */
  readonly stretch?: number
  /** Colour of the names at the foot of the poster, when it is not the title's. */
  readonly billing?: string
  /** A veil behind the letters, of this colour, when the picture is busy. */
  readonly veil?: string
}

/** The lettering of a title in one language. */
export interface TitleLettering extends Omit<Lettering, 'lines'> {
  readonly lines: readonly string[]
}

/** Points of the film (0 to 1) that pictures are taken from. */
export interface Stills {
  readonly poster: number
  readonly fanart: number
  /** Four to six points, in the order in which the trailer shows them. */
  readonly trailer: readonly number[]
}

interface Described {
  /** Short, for addresses and the command line: `la-houle`. */
  readonly id: string
  readonly title: string
  readonly originalTitle: string
  readonly plot: Texts
  readonly tagline: Texts
  readonly englishTitle: string
  readonly year: number
  /** `YYYY-MM-DD`. */
  readonly premiered: string
  /** 0 for everyone, otherwise the age from which it is meant. */
  readonly age: 0 | 7 | 10 | 12 | 16
  readonly genres: readonly string[]
  readonly director: string
  readonly writer: string
  readonly composer: string
  readonly actors: readonly Actor[]
  readonly studio: string
  /** Of 10. */
  readonly rating: number
  readonly votes: number
  /** Keywords, in each language its own. */
  readonly tags: { readonly fra: readonly string[]; readonly eng: readonly string[] }
  readonly world: WorldName
  readonly lettering: Lettering
  readonly stills: Stills
  /** Number of the trailer in the frame strip. */
  readonly trailerNumber: number
  /** What its reviews come to, as a language model would sum them up; left out where nobody has written about it. */
  readonly reviews?: { readonly fra: Reviews; readonly eng: Reviews }
}

/** As `<name>.reviews.json` has it. */
export interface Reviews {
  readonly summary: string
  readonly sentiment: { readonly positive: readonly string[]; readonly negative: readonly string[] }
  readonly reviews: readonly {
    readonly source: string
    /** Of 5. */
    readonly rating: number
    readonly excerpt: string
    readonly link: string
  }[]
}

/** A chapter: where it begins, as a share of the film between title and credits. */
export interface Chapter {
  readonly at: number
  readonly title: string
}

/** What a film or an episode tells. */
export interface Told {
  /** Number in the frame strip, 0 to 63, no other like it. */
  readonly number: number
  readonly durationSeconds: number
  readonly audio: readonly LanguageCode[]
  readonly chapters: readonly Chapter[]
  /** The subtitles, cue by cue, spread over the film between title and credits. */
  readonly narration: readonly Texts[]
}

/** One film. */
export interface Film extends Described, Told {
  readonly kind: 'film'
  /** The collection it belongs to, if any. */
  readonly set?: string
}

/** One episode of a series. */
export interface Episode extends Told {
  readonly season: number
  readonly episode: number
  /** Which variation of the world it shows. */
  readonly variation: number
  readonly title: Texts
  readonly plot: Texts
  readonly premiered: string
  readonly rating: number
  /** Point of the episode (0 to 1) that its picture is taken from. */
  readonly still: number
}

/** A season's own texts. */
export interface Season {
  readonly season: number
  readonly title: Texts
  readonly plot: Texts
}

/** A series of episodes. */
export interface Series extends Described {
  readonly kind: 'series'
  readonly seasons: readonly Season[]
  readonly episodes: readonly Episode[]
}

/** Anything with a folder of its own. */
export type Title = Film | Series

/** How a title is set in a language. */
export function letteringIn({ lettering }: Pick<Title, 'lettering'>, language: LanguageCode): TitleLettering {
  return { ...lettering, lines: lettering.lines[language] }
}

/** Folder of a title inside the library, `/` between the parts. */
export function titleFolder(title: Title): string {
  return title.kind === 'film' ? `Films/${fileName(title)}` : `Series/${title.title}`
}

/** Name of a film's files without ending: `La Houle (2026)`; of a series, its title. */
export function fileName(title: Title): string {
  return title.kind === 'film' ? `${title.title} (${title.year})` : title.title
}

/** Name of an episode's files without ending: `Le Métier S01E02`. */
export function episodeName(series: Series, episode: Episode): string {
  return `${series.title} S${twoDigits(episode.season)}E${twoDigits(episode.episode)}`
}

/** At least two digits, as names and time codes want them. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

/** Texts and data of a title, from which its files are made. */

/** Texts in both languages. French comes first: it is the library's own language. */
export interface LocalisedText {
  readonly fra: string
  readonly eng: string
}

/** The languages of audio tracks and subtitles, as ISO 639-2 and, for file names, ISO 639-1. */
export const LANGUAGES = [
  { code: 'fra', short: 'fr', name: 'Français' },
  { code: 'eng', short: 'en', name: 'English' },
] as const

/** Code of a title's language. */
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

/** An actor with their part. All actors are invented. */
export interface Actor {
  readonly name: string
  readonly role: string
}

/** Lettering of the title on posters and title cards. */
export interface Lettering {
  /** Line by line, in each language. */
  readonly lines: { readonly [Language in LanguageCode]: readonly string[] }
  readonly colour: string
  readonly align: 'left' | 'center' | 'right'
  /** Position of the block on the poster. */
  readonly place: 'top' | 'middle' | 'bottom'
  /** Height of a capital line as a share of the poster's width. */
  readonly size: number
  /** Stretch of the display face in percent; 80 by default. */
  readonly stretch?: number
  /** Colour of the names at the foot of the poster, if it differs from the colour of the title. */
  readonly billing?: string
  /** Colour of a veil behind the letters, for busy pictures. */
  readonly veil?: string
}

/** The lettering of a title in one language. */
export interface TitleLettering extends Omit<Lettering, 'lines'> {
  readonly lines: readonly string[]
}

/** Points of the film (0 to 1) at which pictures are taken. */
export interface Stills {
  readonly poster: number
  readonly fanart: number
  /** Differs from `fanart`, and from all stills that articles show (`make-editorial.ts`). */
  readonly landscape: number
  /** Four to six points, in the order in which the trailer shows them. */
  readonly trailer: readonly number[]
}

interface Described {
  /** Short, for addresses and the command line: `la-houle`. */
  readonly id: string
  readonly title: string
  readonly originalTitle: string
  readonly plot: LocalisedText
  readonly tagline: LocalisedText
  readonly englishTitle: string
  readonly year: number
  /** `YYYY-MM-DD`. */
  readonly premiered: string
  /** 0 for everyone, otherwise the minimum age. */
  readonly age: 0 | 7 | 10 | 12 | 16
  readonly genres: readonly string[]
  readonly director: string
  readonly writer: string
  readonly composer: string
  readonly actors: readonly Actor[]
  readonly studio: string
  /** Out of 10. */
  readonly rating: number
  readonly votes: number
  /** Keywords of each language. */
  readonly tags: { readonly fra: readonly string[]; readonly eng: readonly string[] }
  readonly world: WorldName
  readonly lettering: Lettering
  readonly stills: Stills
  /** Number of the trailer in the frame strip. */
  readonly trailerNumber: number
  /** Summary of its reviews, as a language model would write it; absent without reviews. */
  readonly reviews?: { readonly fra: Reviews; readonly eng: Reviews }
}

/** Reviews as in `<name>.reviews.json`. */
export interface Reviews {
  readonly summary: string
  readonly sentiment: { readonly positive: readonly string[]; readonly negative: readonly string[] }
  readonly reviews: readonly {
    readonly source: string
    /** Out of 5. */
    readonly rating: number
    readonly excerpt: string
    readonly link: string
  }[]
}

/** A chapter with its beginning, as a share of the film between title and credits. */
export interface Chapter {
  readonly at: number
  readonly title: string
}

/** Content of a film or an episode. */
export interface Told {
  /** Unique number in the frame strip, 0 to 63. */
  readonly number: number
  readonly durationSeconds: number
  readonly audio: readonly LanguageCode[]
  readonly chapters: readonly Chapter[]
  /** The subtitles, cue by cue, spread over the film between title and credits. */
  readonly narration: readonly LocalisedText[]
}

/** One film. */
export interface Film extends Described, Told {
  readonly kind: 'film'
  /** The collection to which the title belongs, if any. */
  readonly set?: string
}

/** One episode of a series. */
export interface Episode extends Told {
  readonly season: number
  readonly episode: number
  /** Variation of the series' world. */
  readonly variation: number
  readonly title: LocalisedText
  readonly plot: LocalisedText
  readonly premiered: string
  readonly rating: number
  /** Point of the episode (0 to 1) at which its picture is taken. */
  readonly still: number
}

/** Texts of a season. */
export interface Season {
  readonly season: number
  readonly title: LocalisedText
  readonly plot: LocalisedText
}

/** A series of episodes. */
export interface Series extends Described {
  readonly kind: 'series'
  readonly seasons: readonly Season[]
  readonly episodes: readonly Episode[]
}

/** A title with its own folder. */
export type Title = Film | Series

/** Returns the lettering of a title in a language. */
export function letteringIn({ lettering }: Pick<Title, 'lettering'>, language: LanguageCode): TitleLettering {
  return { ...lettering, lines: lettering.lines[language] }
}

/** Returns the name of a title in a language. */
export function titleIn(
  { title, englishTitle }: Pick<Title, 'title' | 'englishTitle'>,
  language: LanguageCode,
): string {
  return language === 'eng' ? englishTitle : title
}

/** Returns the folder of a title inside the library, with `/` between the parts. */
export function titleFolder(title: Title): string {
  return title.kind === 'film' ? `Films/${fileName(title)}` : `Series/${title.title}`
}

/** Returns the name of a film's files without extension: `La Houle (2026)`; for a series, its title. */
export function fileName(title: Title): string {
  return title.kind === 'film' ? `${title.title} (${title.year})` : title.title
}

/** Returns the name of an episode's files without extension: `Le Métier S01E02`. */
export function episodeName(series: Series, episode: Episode): string {
  return `${series.title} S${twoDigits(episode.season)}E${twoDigits(episode.episode)}`
}

/** Pads a number to at least two digits, as names and time codes require. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

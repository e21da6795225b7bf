/** The texts and data of a title. Its files are made from these. */

/** A text in both languages. French comes first, because it is the library's main language. */
export interface LocalisedText {
  readonly fra: string
  readonly eng: string
}

/** The languages of audio tracks and subtitles: ISO 639-2 codes, and ISO 639-1 codes for file names. */
export const LANGUAGES = [
  { code: 'fra', short: 'fr', name: 'Français' },
  { code: 'eng', short: 'en', name: 'English' },
] as const

/** ISO 639-2 code of a language. */
export type LanguageCode = (typeof LANGUAGES)[number]['code']

/** Names of the worlds: sets of drawings for a title (`worlds/`) with their music (`sound/scores.ts`). */
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

/** An actor and the role. All actors are invented. */
export interface Actor {
  readonly name: string
  readonly role: string
}

/** Typography of the title on posters and in title art. */
interface Lettering {
  /** The lines of the title, in each language. */
  readonly lines: { readonly [Language in LanguageCode]: readonly string[] }
  readonly colour: string
  readonly align: 'left' | 'center' | 'right'
  /** Position of the title on the poster. */
  readonly place: 'top' | 'middle' | 'bottom'
  /** Height of a capital letter as a fraction of the poster's width. */
  readonly size: number
  /** Width of the display face in percent. Defaults to 80. */
  readonly stretch?: number
  /** Colour of the names at the foot of the poster. Defaults to the colour of the title. */
  readonly billing?: string
  /** Colour of a translucent area behind the letters, for pictures with much detail. */
  readonly veil?: string
}

/** Typography of a title in one language. */
export interface TitleLettering extends Omit<Lettering, 'lines'> {
  readonly lines: readonly string[]
}

/** Positions in the film, from 0 to 1, of its stills. */
interface Stills {
  readonly poster: number
  readonly fanart: number
  /** Must differ from `fanart`, and from all stills in articles (`make-editorial.ts`). */
  readonly landscape: number
  /** Four to six positions, in the order of the trailer's shots. */
  readonly trailer: readonly number[]
}

interface Described {
  /** Short name for addresses and the command line, such as `la-houle`. */
  readonly id: string
  readonly title: string
  readonly originalTitle: string
  readonly plot: LocalisedText
  readonly tagline: LocalisedText
  readonly englishTitle: string
  readonly year: number
  /** Date as `YYYY-MM-DD`. */
  readonly premiered: string
  /** Minimum age; 0 for all ages. */
  readonly age: 0 | 7 | 10 | 12 | 16
  readonly genres: readonly string[]
  readonly director: string
  readonly writer: string
  readonly composer: string
  readonly actors: readonly Actor[]
  readonly studio: string
  /** Rating from 0 to 10. */
  readonly rating: number
  readonly votes: number
  /** Keywords, in each language. */
  readonly tags: { readonly fra: readonly string[]; readonly eng: readonly string[] }
  readonly world: WorldName
  readonly lettering: Lettering
  readonly stills: Stills
  /** Number of the trailer in the frame strip. */
  readonly trailerNumber: number
  /** Summary of the title's reviews, in the style of a language model. Undefined without reviews. */
  readonly reviews?: { readonly fra: Reviews; readonly eng: Reviews }
}

/** Reviews of a title, in the format of `<name>.reviews.json`. */
interface Reviews {
  readonly summary: string
  readonly sentiment: { readonly positive: readonly string[]; readonly negative: readonly string[] }
  readonly reviews: readonly {
    readonly source: string
    /** Rating from 0 to 5. */
    readonly rating: number
    readonly excerpt: string
    readonly link: string
  }[]
}

/** A chapter. Its beginning is a fraction of the time between opening and credits. */
export interface Chapter {
  readonly at: number
  readonly title: string
}

/** The content of a film or an episode. */
export interface Told {
  /** Number in the frame strip, from 0 to 63 and unique. */
  readonly number: number
  readonly durationSeconds: number
  readonly audio: readonly LanguageCode[]
  readonly chapters: readonly Chapter[]
  /** The texts of the subtitles. They are distributed between opening and credits. */
  readonly narration: readonly LocalisedText[]
}

/** One film. */
export interface Film extends Described, Told {
  readonly kind: 'film'
  /** Name of the collection to which the film belongs. */
  readonly set?: string
}

/** One episode of a series. */
export interface Episode extends Told {
  readonly season: number
  readonly episode: number
  /** Variation of the drawings of the series. */
  readonly variation: number
  readonly title: LocalisedText
  readonly plot: LocalisedText
  readonly premiered: string
  readonly rating: number
  /** Position of the episode's still, from 0 to 1. */
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

/** A film or a series. Each has its own folder in the library. */
export type Title = Film | Series

/** Returns the typography of a title in a language. */
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

/** Returns the path of a title's folder in the library, with `/` between its parts. */
export function titleFolder(title: Title): string {
  return title.kind === 'film' ? `Films/${fileName(title)}` : `Series/${title.title}`
}

/** Returns the base name of a film's files, such as `La Houle (2026)`. For a series, returns its title. */
export function fileName(title: Title): string {
  return title.kind === 'film' ? `${title.title} (${title.year})` : title.title
}

/** Returns the base name of an episode's files, such as `Le Métier S01E02`. */
export function episodeName(series: Series, episode: Episode): string {
  return `${series.title} S${twoDigits(episode.season)}E${twoDigits(episode.episode)}`
}

/** Pads a number to at least two digits, for file names and time codes. */
export function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}

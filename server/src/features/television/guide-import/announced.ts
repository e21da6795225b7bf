import type { LocalisedText } from '../../../database/columns.ts'
import type { ProgrammeDetails } from './programme-details.ts'

/** Times of a programme, and its line in the file. Times are milliseconds since the Unix epoch. */
export interface Timed {
  line: number
  startsAt: number
  /** Null if the source gives no end. */
  endsAt: number | null
}

/** A programme that an import has read. */
export interface Announced extends Timed {
  /** Content of the programme in the guide. */
  content: AnnouncedContent
}

/** Content of a programme, without its times. */
export interface AnnouncedContent {
  universalId: string | null
  titles: LocalisedText
  subtitles: LocalisedText
  descriptions: LocalisedText
  genres: string[]
  moralityLevel: number
  adult: boolean
  year: number | null
  seasonNumber: number | null
  episodeNumber: number | null
  isNew: boolean
  isRepeat: boolean
  isLive: boolean
  audioLanguages: string[]
  subtitleLanguages: string[]
  imageAddress: string | null
  details: ProgrammeDetails
}

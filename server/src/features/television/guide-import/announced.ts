import type { LocalisedText } from '../../../database/columns.ts'
import type { ProgrammeDetails } from './programme-details.ts'

/** Times of a programme, and its line number in the file. Times are milliseconds since the Unix epoch. */
export interface Timed {
  line: number
  startsAt: number
  /** End of the programme; null if the source states no end. */
  endsAt: number | null
}

/** A programme as read from a guide. */
export interface Announced extends Timed {
  /** Content to store for the programme. */
  content: AnnouncedContent
}

/** A programme without its times. */
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

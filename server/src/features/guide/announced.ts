import type { Texts } from '../../database/columns.ts'
import type { ProgrammeDetails } from './programme-details.ts'

/** When something is announced, and by which line. Times are milliseconds since the Unix epoch. */
export interface Timed {
  line: number
  startsAt: number
  /** Null where the source does not say it. */
  endsAt: number | null
}

/** A programme as an import has read it. */
export interface Announced extends Timed {
  /** What stands in the guide of it. */
  content: AnnouncedContent
}

/** All of a programme but its times. */
export interface AnnouncedContent {
  universalId: string | null
  titles: Texts
  subtitles: Texts
  descriptions: Texts
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

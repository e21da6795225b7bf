import type { LocalisedText } from '../../../database/columns.ts'

/** Details of a programme that lists do not show. Fields that the guide does not have are absent. */
export interface ProgrammeDetails {
  credits?: ProgrammeCredit[]
  /** The episode in the notation of the source, such as `S02E05`. */
  episodeText?: string
  /** Part of an episode, counted from 1, and the number of parts. */
  part?: { number: number; of?: number }
  countries?: LocalisedText[]
  keywords?: string[]
  /** Three-letter code of the original language. */
  originalLanguage?: string
  /** Ratings as the source writes them, each with its rating system. */
  ratings?: { system: string; value: string }[]
  /** Stars, such as `4/5`. */
  stars?: string
  /** Date of the programme's first showing, in milliseconds since the Unix epoch, if the source has it. */
  previouslyShownAt?: number
  premiere?: boolean
  lastChance?: boolean
  audioDescribed?: boolean
  /** Whether the programme has sign language. */
  signed?: boolean
  /** Whether the programme must not be recorded. */
  recordingForbidden?: boolean
  /** Whether the programme must not be watched from its beginning. */
  startOverForbidden?: boolean
  /** Whether viewers must not pause the programme or go back in it. */
  timeShiftForbidden?: boolean
  /** Whether the programme has subtitles, in known languages or not. */
  subtitled?: boolean
}

export interface ProgrammeCredit {
  role:
    | 'director'
    | 'actor'
    | 'writer'
    | 'adapter'
    | 'producer'
    | 'composer'
    | 'editor'
    | 'presenter'
    | 'commentator'
    | 'guest'
  name: string
  /** Role of an actor. */
  as?: string
}

import type { LocalisedText } from '../../../database/columns.ts'

/** Details of a programme that lists do not show. A field is omitted if the guide lacks it. */
export interface ProgrammeDetails {
  credits?: ProgrammeCredit[]
  /** The episode in the notation of the source, such as `S02E05`. */
  episodeText?: string
  /** Number of this part of the episode, counted from 1, and the number of parts. */
  part?: { number: number; of?: number }
  countries?: LocalisedText[]
  keywords?: string[]
  /** Three-letter code of the original language. */
  originalLanguage?: string
  /** Ratings as the source writes them, with their rating systems. */
  ratings?: { system: string; value: string }[]
  /** Star rating, such as `4/5`. */
  stars?: string
  /** When the programme was shown before, in milliseconds since the Unix epoch (`<previously-shown>`). */
  previouslyShownAt?: number
  premiere?: boolean
  lastChance?: boolean
  audioDescribed?: boolean
  /** Whether the programme is shown with sign language. */
  signed?: boolean
  /** Whether the guide forbids recording the programme. */
  recordingForbidden?: boolean
  /** Whether the guide forbids start-over: watching the programme from its beginning. */
  startOverForbidden?: boolean
  /** Whether the guide forbids time-shift: pausing the programme or going back in it. */
  timeShiftForbidden?: boolean
  /** Whether the programme has subtitles, even if their language is unknown. */
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
  /** Role that the actor plays. */
  as?: string
}

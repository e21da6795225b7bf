import type { Texts } from '../../database/columns.ts'

/** What a guide says of a programme beside what lists show. Absent fields were not said. */
export interface ProgrammeDetails {
  credits?: ProgrammeCredit[]
  /** The episode in words of the source, such as `S02E05`. */
  episodeText?: string
  /** Counted from 1: part of an episode, and of how many. */
  part?: { number: number; of?: number }
  countries?: Texts[]
  keywords?: string[]
  /** Three-letter code of the language it was made in. */
  originalLanguage?: string
  /** Ratings as they were said, by their system. */
  ratings?: { system: string; value: string }[]
  /** Stars, such as `4/5`. */
  stars?: string
  /** When it was first shown, milliseconds since the Unix epoch, where the source says it. */
  previouslyShownAt?: number
  premiere?: boolean
  lastChance?: boolean
  audioDescribed?: boolean
  /** Somebody shows in signs what is said. */
  signed?: boolean
  /** With subtitles, whether or not it is said in which languages. */
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
  /** Whom an actor plays. */
  as?: string
}

import type { LocalisedText } from '../../../database/columns.ts'

/** Fields that an operator may set on a channel of any kind. */
export interface ChannelFields {
  number: number
  names: LocalisedText
  descriptions: LocalisedText
  color: string
  free: boolean
  radio: boolean
  tags: string[]
  mainGenre: string
  /** Age level, 0 to 6. */
  moralityLevel: number
  /**
   * Length of the time-shift window, in seconds; 0 for no time-shift, null for the storefront's setting (V3-47).
   */
  timeshiftSeconds: number | null
  guideId: string | null
}

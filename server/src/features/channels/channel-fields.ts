import type { Texts } from '../../database/columns.ts'

/** What an operator may set of a channel, whatever it plays. */
export interface ChannelFields {
  number: number
  names: Texts
  descriptions: Texts
  color: string
  free: boolean
  radio: boolean
  tags: string[]
  mainGenre: string
  /** 0 to 6. */
  moralityLevel: number
  /** How far viewers may go back, in seconds; 0 for not at all, null for as their storefront says (V3-47). */
  timeshiftSeconds: number | null
  guideId: string | null
}

/** Status of a live input. The process that receives the input writes it every second. */
export interface InputStatus {
  /** Time of the report, in milliseconds since the Unix epoch. */
  at: number
  /** Which of the two addresses is on the air; null if neither is. */
  active: 'main' | 'spare' | null
  /** When the active address went on the air, in milliseconds since the Unix epoch. */
  activeSince: number | null
  main: AddressStatus
  /** State of the spare address; null if the input has no spare address. */
  spare: AddressStatus | null
  /** Rate of the stored media over the last 10 s, in bits per second. */
  bitsOut: number
  /** Number of segments that could not be stored. */
  lostSegments: number
  /** Why nothing is on the air although data arrives; null without a fault. */
  trouble: string | null
}

/** State of one address of an input. */
export interface AddressStatus {
  /** Received bits per second, over the last 10 s. */
  bitsIn: number
  /** When data last arrived, in milliseconds since the Unix epoch. */
  heardAt: number | null
  lostFrames: number
  /**
   * Number of segments that were late by more than half their duration. Undefined in reports of an earlier
   * version.
   */
  lateSegments?: number
  jumps: number
  silentFrames: number
  restarts: number
  /** Kinds of tracks that are transcoded, because their format cannot be copied. */
  encoded: ('video' | 'audio')[]
  /** Sizes of the lower renditions, which are encoded. Undefined in reports of an earlier version. */
  lower?: string[]
  /** Descriptions of the input's streams and renditions that are not used. */
  left: string[]
  /**
   * Description of the received format, and the time of its first segment, in milliseconds since the Unix epoch.
   * Null before the first segment.
   */
  format: { text: string; since: number } | null
  trouble: string | null
}

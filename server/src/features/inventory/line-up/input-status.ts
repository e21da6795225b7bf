/** Report about a live input. The process that receives the input writes it each second. */
export interface InputStatus {
  /** When it was reported, in milliseconds since the Unix epoch. */
  at: number
  /** The address that is on the air; null if none is. */
  active: 'main' | 'spare' | null
  /** Since when, in milliseconds since the Unix epoch. */
  activeSince: number | null
  main: AddressStatus
  /** Null if the input has no spare address. */
  spare: AddressStatus | null
  /** Media stored in the last 10 s, in bits per second. */
  bitsOut: number
  /** Segments that could not be stored. */
  lostSegments: number
  /** Why nothing is on the air although data arrives; null if nothing is wrong. */
  trouble: string | null
}

/** State of one address of an input. */
export interface AddressStatus {
  /** Bits per second in the last 10 s. */
  bitsIn: number
  /** When data last arrived, in milliseconds since the Unix epoch. */
  heardAt: number | null
  lostFrames: number
  /**
   * Segments that were complete more than half their length after they were due. Undefined in a report of an earlier
   * version.
   */
  lateSegments?: number
  jumps: number
  silentFrames: number
  restarts: number
  /** The kinds of tracks that are encoded, because their format cannot be copied. */
  encoded: ('video' | 'audio')[]
  /** The streams that are left out, in words. */
  left: string[]
  /**
   * The received format in words, and the time of its first segment, in milliseconds since the Unix epoch. Null before
   * the first segment.
   */
  format: { text: string; since: number } | null
  trouble: string | null
}

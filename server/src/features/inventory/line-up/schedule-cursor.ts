/** Identifies an item of a list: an asset's id, or `block:<id>`. */
export type ItemId = number | string

/** Position in a list of titles. */
export interface PartState {
  /** Index of the last item played, and its id. The list changes as films come and go. */
  at: number
  last: ItemId | null
  /** Shuffle: titles not yet played in this round, in the order in which they play. */
  left?: string[]
  /** Shuffle: number of the round. */
  round?: number
  lastTitle?: string
  /** Shuffle: the last episode played of each series. */
  episodes?: Record<string, { at: number; last: ItemId | null }>
}

/** Block that has begun. */
export interface OpenBlock {
  id: string
  /** Number of the block's first entry. */
  position: number
  startsAt: number
  /** When the block should end. */
  endsAt: number
  /** End of the block's last entry so far. */
  plannedUntil: number
}

/**
 * End of a channel's schedule. It is stored with the entries, so that scheduling can resume from it alone. Times are
 * milliseconds since the Unix epoch.
 */
export interface ScheduleCursor {
  /** Number of the next entry. */
  position: number
  /** Start of the next entry, which is the end of the last one. */
  endsAt: number
  /** Segments and entries before the next entry: HLS counts both from the beginning of the channel. */
  mediaSequence: number
  discontinuitySequence: number
  /**
   * Positions in the lists of titles, by the key of the part. For the titles inside a block, the key is
   * `block:<id>`.
   */
  blocks: Record<string, PartState>
  filler: { at: number; last: number | null }
  open?: OpenBlock | undefined
  /** The block that ended last, as `block:<id>`. */
  lastBlock?: string
  /**
   * Start of the first entry after the last gap, or of the channel's first entry. Programmes that began
   * earlier cannot be watched from their beginning. Absent in cursors of older versions.
   */
  unbrokenSince?: number
}

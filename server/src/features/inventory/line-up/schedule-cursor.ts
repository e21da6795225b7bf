/** Identifies an item of a list: an asset's id, or `block:<id>`. */
export type ItemId = number | string

/** Position in a list of titles. */
export interface PartState {
  /**
   * Index and id of the item that played last. The id finds the item again after films were added to the list or
   * removed from it.
   */
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
 * State from which scheduling appends the next entries to a channel. It is stored with the entries, and scheduling
 * needs nothing else to continue. Times are milliseconds since the Unix epoch.
 */
export interface ScheduleCursor {
  /** Number of the next entry. */
  position: number
  /** Start of the next entry, which is the end of the last one. */
  endsAt: number
  /**
   * Numbers of segments and of entries from the beginning of the channel to the next entry. HLS playlists contain
   * both.
   */
  mediaSequence: number
  discontinuitySequence: number
  /**
   * Positions in the lists of titles, by the key of the `Part`. For the titles inside a block, the key is
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

/** Identifies an item of a list of titles: an asset's id, or `block:<id>`. */
export type ItemId = number | string

/** Position in a list of titles. */
export interface PartState {
  /** Index and id of the item that played last. The id finds the item again after changes of the list. */
  at: number
  last: ItemId | null
  /** Shuffle: titles of this round that have not played yet, in order of playback. */
  left?: string[]
  /** Shuffle: number of the round. */
  round?: number
  lastTitle?: string
  /** Shuffle: the last played episode of each series. */
  episodes?: Record<string, { at: number; last: ItemId | null }>
}

/** A block of several titles that has begun. */
export interface OpenBlock {
  id: string
  /** Number of the block's first schedule entry. */
  position: number
  startsAt: number
  /** Planned end of the block. */
  endsAt: number
  /** End of the block's last entry so far. */
  plannedUntil: number
}

/**
 * State from which scheduling continues a channel. It is stored with the entries, and contains everything that
 * scheduling needs. Times are milliseconds since the Unix epoch.
 */
export interface ScheduleCursor {
  /** Number of the next entry. */
  position: number
  /** Start of the next entry, which is the end of the last entry. */
  endsAt: number
  /**
   * Numbers of segments and of entries from the start of the channel to the next entry, for the sequence numbers
   * of HLS playlists.
   */
  mediaSequence: number
  discontinuitySequence: number
  /** Positions in the lists of titles, by {@link Part} key. For the titles of a block, the key is `block:<id>`. */
  blocks: Record<string, PartState>
  filler: { at: number; last: number | null }
  open?: OpenBlock | undefined
  /** The last block that has ended, as `block:<id>`. */
  lastBlock?: string
  /**
   * Start of the first entry after the last gap, or of the channel's first entry. Start-over is not possible for
   * programmes before this time. Undefined in cursors of older versions.
   */
  unbrokenSince?: number
}

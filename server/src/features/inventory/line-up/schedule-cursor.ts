/** Identifies an item of a list: an asset's id, or `block:<id>`. */
export type ItemId = number | string

/** Position in a list of titles. */
export interface PartState {
  /** Index of the last item played, and its id. The list changes as films come and go. */
  at: number
  last: ItemId | null
  /** Shuffle: titles not yet played in this round, the next one first. */
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
  /** Number of its first entry. */
  position: number
  startsAt: number
  /** When it should end. */
  endsAt: number
  /** End of its last entry. */
  plannedUntil: number
}

/**
 * End of a channel's schedule. It is stored with the entries, so that scheduling can resume from it alone. Times are
 * milliseconds since the Unix epoch.
 */
export interface ScheduleCursor {
  /** Number of the next entry. */
  position: number
  /** When the next entry starts. */
  endsAt: number
  /** Segments and entries before the next entry: HLS counts both from the beginning of the channel. */
  mediaSequence: number
  discontinuitySequence: number
  /** By the key of a part, and by `block:<id>` for the titles inside a block. */
  blocks: Record<string, PartState>
  filler: { at: number; last: number | null }
  open?: OpenBlock | undefined
  /** The block that ended last, in the form of a list item. */
  lastBlock?: string
  /** Since when there has been no gap: entries before it end with one. Absent in cursors of older versions. */
  unbrokenSince?: number
}

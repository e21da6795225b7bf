/** Favourites of a profile, the last added first. */
export interface Kept {
  channelIds: readonly number[]
  titles: readonly ({ assetId: number } | { categoryId: number })[]
}

/** No favourites. */
export const NOTHING_KEPT: Kept = { channelIds: [], titles: [] }

/** Positions of a profile in everything that it has started. */
export interface Positions {
  /** Seconds by asset, the last watched first. */
  seconds: ReadonlyMap<number, number>
  /** Assets that the profile removed from continue watching. */
  removed: ReadonlySet<number>
}

/** No positions. */
export const NO_POSITIONS: Positions = { seconds: new Map(), removed: new Set() }

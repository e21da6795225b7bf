/** Favourites of a profile, the most recently added first. */
export interface Kept {
  channelIds: readonly number[]
  titles: readonly ({ assetId: number } | { categoryId: number })[]
}

/** No favourites. */
export const NOTHING_KEPT: Kept = { channelIds: [], titles: [] }

/** Playback positions of a profile in all assets that it has started. */
export interface Positions {
  /** Position in each asset, in seconds, by asset id. The most recently watched asset comes first. */
  seconds: ReadonlyMap<number, number>
  /** When each asset was last watched, in milliseconds since the Unix epoch, by asset id. */
  watchedAt: ReadonlyMap<number, number>
  /** Assets that the profile removed from the list of titles in progress. */
  removed: ReadonlySet<number>
}

/** No playback positions. */
export const NO_POSITIONS: Positions = { seconds: new Map(), watchedAt: new Map(), removed: new Set() }

/** Favourites of a profile, the last added first. */
export interface Kept {
  channelIds: readonly number[]
  titles: readonly ({ assetId: number } | { categoryId: number })[]
}

/** No favourites. */
export const NOTHING_KEPT: Kept = { channelIds: [], titles: [] }

/** Positions of a profile in everything that it has started. */
export interface Positions {
  /** Position in each asset, in seconds, by the asset's id. The asset watched last comes first. */
  seconds: ReadonlyMap<number, number>
  /** Assets that the profile removed from continue watching. */
  removed: ReadonlySet<number>
}

/** No positions. */
export const NO_POSITIONS: Positions = { seconds: new Map(), removed: new Set() }
